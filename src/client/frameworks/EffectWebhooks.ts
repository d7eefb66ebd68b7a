import { DateTime, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { InvalidWebhook, verifyWebhook } from "../Webhook.ts"
import { dispatch, MAX_BYTES, type ReceiverOptions, tooLarge, type WebhookAnswer } from "./WebhookReceiver.ts"

const answerResponse = ({ status, body }: WebhookAnswer) =>
  body === undefined ? HttpServerResponse.empty({ status }) : HttpServerResponse.jsonUnsafe(body, { status })

/**
 * Receives webhooks: verifies them and runs the handler for their type. Responds with 204 after the handler, or with 400 if
 * the signature is invalid. Fails with the handler's error; if that leads to a 500 response, the message is sent again.
 *
 *     HttpRouter.add("POST", "/events", receiveWebhooks({ secret: "whsec_…", on: { "user.created": (event) => welcome(event) } }))
 */
export const receiveWebhooks = Effect.fn("sallyport.receiveWebhooks")(function* <E, R>(
  options: Omit<ReceiverOptions<Effect.Effect<unknown, E, R>>, "now">
) {
  const { secret, tolerance } = options
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  if (Number(headers["content-length"]) > MAX_BYTES) return answerResponse(tooLarge)
  const body = yield* request.arrayBuffer
  if (body.byteLength > MAX_BYTES) return answerResponse(tooLarge)
  const time = DateTime.toDateUtc(yield* DateTime.now)
  const verified = yield* Effect.promise(async () => {
    const given = { body, headers, secret, now: () => time, ...(tolerance === undefined ? {} : { tolerance }) }
    return verifyWebhook(given).catch((error: unknown) => {
      if (error instanceof InvalidWebhook) return error
      throw error
    })
  })
  if (verified instanceof InvalidWebhook) {
    const { reason: error, message } = verified
    return answerResponse({ status: 400, body: { error, message } })
  }
  const work = dispatch(options, verified, String(headers["webhook-id"]))
  if (work !== undefined) yield* work
  return answerResponse({ status: 204 })
})
