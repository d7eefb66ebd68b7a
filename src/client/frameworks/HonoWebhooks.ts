import type { Handler } from "hono"
import { bodyWasParsed, type ReceiverOptions, receiveFetched, receiver } from "./WebhookReceiver.ts"

/**
 * Receives webhooks: verifies them, and calls the handler of their type. Answers 204 once the handler is done, 400 where the
 * signature is not right. What a handler throws goes to Hono's `onError`, which answers 500, so that the message is sent again.
 *
 *     app.post("/events", receiveWebhooks({ secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } }))
 */
export const receiveWebhooks = (options: ReceiverOptions): Handler => {
  const receive = receiver(options)
  return async ({ req }) => {
    // Hono keeps what others have read of the body by its own functions.
    if (req.raw.bodyUsed && Object.keys(req.bodyCache).length === 0)
      throw bodyWasParsed("Read it with c.req.text() or c.req.json(), which keep it.")
    return receiveFetched(receive, { headers: req.raw.headers, arrayBuffer: () => req.arrayBuffer() })
  }
}
