import {
  bodyWasParsed,
  MOST_BYTES,
  type ReceiverOptions,
  receiver,
  tooLarge,
  webhookResponse
} from "./WebhookReceiver.ts"

/**
 * A handler for webhooks, for everything that maps a `Request` to a `Response`: verifies them, and calls the handler of their
 * type. Answers 204 once the handler is done, 400 where the signature is not right. It rejects with what a handler throws; where
 * that is answered with 500, the message is sent again.
 *
 *     export const POST = receiveWebhooks({ secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } })
 */
export const receiveWebhooks = (options: ReceiverOptions): ((request: Request) => Promise<Response>) => {
  const receive = receiver(options)
  return async (request) => {
    if (request.bodyUsed) throw bodyWasParsed("Leave the request's body to receiveWebhooks, or give it a clone().")
    if (Number(request.headers.get("content-length")) > MOST_BYTES) return webhookResponse(tooLarge)
    const body = await request.arrayBuffer()
    if (body.byteLength > MOST_BYTES) return webhookResponse(tooLarge)
    return webhookResponse(await receive(body, request.headers, String(request.headers.get("webhook-id"))))
  }
}
