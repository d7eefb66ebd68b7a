import type { FastifyInstance } from "fastify"
import { type ReceiverOptions, receiver } from "./WebhookReceiver.ts"

/**
 * A plugin that receives webhooks at a path: verifies them, and calls the handler of their type. Answers 204 once the handler is
 * done, 400 where the signature is not right. What a handler throws goes to Fastify, which answers 500, so that the message is
 * sent again. The bytes of the body are kept inside the plugin only; other routes parse theirs as before.
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
