import type { FastifyInstance } from "fastify"
import { type ReceiverOptions, receiver } from "./WebhookReceiver.ts"

/**
 * A plugin that receives webhooks at a path: verifies them and calls the handler for their type. Responds with 204 after
 * the handler, or with 400 if the signature is invalid. A handler's error goes to Fastify, which responds with 500, so the
 * message is sent again. Only the plugin keeps the raw body; other routes parse theirs as before.
 *
 *     app.register(receiveWebhooks("/events", { secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } }))
 */
export const receiveWebhooks = (path: string, options: ReceiverOptions) => {
  const receive = receiver(options)
  return async (instance: FastifyInstance): Promise<void> => {
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))
    instance.post(path, async ({ body, headers }, reply) => {
      const bytes = body instanceof Uint8Array ? body : ""
      const answer = await receive(bytes, headers, String(headers["webhook-id"]))
      return reply.code(answer.status).send(answer.body)
    })
  }
}
