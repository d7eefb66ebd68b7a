import type { Handler } from "hono"
import { parsedBodyError, type ReceiverOptions, receiveFetched, receiver } from "./WebhookReceiver.ts"

/**
 * Receives webhooks: verifies them and calls the handler for their type. Responds with 204 after the handler, or with 400
 * if the signature is invalid. A handler's error goes to Hono's `onError`, which responds with 500, so the message is sent
 * again.
 *
 *     app.post("/events", receiveWebhooks({ secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } }))
 */
export const receiveWebhooks = (options: ReceiverOptions): Handler => {
  const receive = receiver(options)
  return async ({ req }) => {
    // Hono caches the body if it was read with Hono's own functions.
    if (req.raw.bodyUsed && Object.keys(req.bodyCache).length === 0)
      throw parsedBodyError("Read it with c.req.text() or c.req.json(), which cache it.")
    return receiveFetched(receive, { headers: req.raw.headers, arrayBuffer: () => req.arrayBuffer() })
  }
}
