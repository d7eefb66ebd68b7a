import type { ExpressHandler, ExpressRequest } from "./ExpressHandler.ts"
import {
  MAX_BYTES,
  parsedBodyError,
  type ReceiverOptions,
  receiver,
  tooLarge,
  type WebhookAnswer
} from "./WebhookReceiver.ts"

/** A request with its stream, or with a body that was already read. */
interface WithBody extends ExpressRequest {
  readonly body?: unknown
  readonly rawBody?: unknown
  readonly readableDidRead?: boolean
  readonly [Symbol.asyncIterator]?: () => AsyncIterator<unknown>
}

const REMEDY =
  "Use receiveWebhooks before express.json(), or store the raw body: express.json({ verify: (request, _, bytes) => { request.rawBody = bytes } })."

const isBytes = (value: unknown): value is Uint8Array | string =>
  value instanceof Uint8Array || typeof value === "string"

/** Concatenates the chunks of a stream. Returns undefined if there are too many bytes. */
const collected = async (chunks: AsyncIterable<unknown>): Promise<Uint8Array | undefined> => {
  const parts: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError("The request's stream has an encoding, but must return bytes.")
    length += chunk.length
    if (length > MAX_BYTES) return undefined
    parts.push(chunk)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Reads the raw body. Returns undefined if it is too large. */
const bodyOf = async (request: WithBody): Promise<Uint8Array | string | undefined> => {
  const { rawBody, body, readableDidRead = false, [Symbol.asyncIterator]: iterator } = request
  if (isBytes(rawBody)) return rawBody
  if (isBytes(body)) return body
  if (readableDidRead || iterator === undefined) throw parsedBodyError(REMEDY)
  return collected({ [Symbol.asyncIterator]: () => iterator.call(request) })
}

/**
 * Receives webhooks: verifies them and calls the handler for their type. Responds with 204 after the handler, or with 400
 * if the signature is invalid. A handler's error goes to Express, which responds with 500, so the message is sent again.
 *
 *     app.post("/events", receiveWebhooks({ secret: "whsec_…", on: { "user.created": ({ user_id }) => welcome(user_id) } }))
 */
export const receiveWebhooks = (options: ReceiverOptions): ExpressHandler => {
  const receive = receiver(options)
  const answerTo = async (request: ExpressRequest): Promise<WebhookAnswer> => {
    const body = await bodyOf(request)
    return body === undefined ? tooLarge : receive(body, request.headers, String(request.headers["webhook-id"]))
  }
  return (request, response, next) => {
    answerTo(request).then(({ status, body }) => {
      response.statusCode = status
      if (body !== undefined) response.setHeader("content-type", "application/json; charset=utf-8")
      response.end(body === undefined ? "" : JSON.stringify(body))
    }, next)
  }
}
