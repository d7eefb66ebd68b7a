import { bodyWasParsed, type ReceiverOptions, receiveFetched, receiver } from "./WebhookReceiver.ts"

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
    return receiveFetched(receive, { headers: request.headers, arrayBuffer: () => request.arrayBuffer() })
  }
}
