import { parsedBodyError, type ReceiverOptions, receiveFetched, receiver } from "./WebhookReceiver.ts"

/**
 * A webhook handler for any framework that maps a `Request` to a `Response`: verifies webhooks and calls the handler for
 * their type. Responds with 204 after the handler, or with 400 if the signature is invalid. Rejects with the handler's
 * error; if that leads to a 500 response, the message is sent again.
 *
 *     export const POST = receiveWebhooks({ secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } })
 */
export const receiveWebhooks = (options: ReceiverOptions): ((request: Request) => Promise<Response>) => {
  const receive = receiver(options)
  return async (request) => {
    if (request.bodyUsed) throw parsedBodyError("Don't read the body before receiveWebhooks, or pass it a clone().")
    return receiveFetched(receive, { headers: request.headers, arrayBuffer: () => request.arrayBuffer() })
  }
}
