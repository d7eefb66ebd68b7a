import {
  InvalidWebhook,
  type InvalidWebhookReason,
  keysOf,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookEventType,
  type WebhookRequest
} from "../Webhook.ts"

/** What is known of a message besides its event. */
export interface WebhookMessage {
  /** The `webhook-id`: the same when a message is sent again, so that it can be recognized. */
  readonly id: string
}

/** What is done with events, by their types. `Done`: what the handlers return. */
export type WebhookHandlers<Done> = {
  readonly [Type in WebhookEventType]?: (event: WebhookEvents[Type], message: WebhookMessage) => Done
}

/** How webhooks are received. */
export interface ReceiverOptions<Done = unknown> extends Pick<WebhookRequest, "secret" | "tolerance" | "now"> {
  /** What is done with events. A message is sent again if its handler throws, and is done with when it returns. */
  readonly on: WebhookHandlers<Done>
  /** What is done with events of all other types. Default: nothing. */
  readonly otherwise?: (event: WebhookEvent, message: WebhookMessage) => Done
}

/** The answer to a message: 204, or 400 with the reason for programs (`error`) and for people (`message`). */
export type WebhookAnswer =
  | { readonly status: 204; readonly body?: never }
  | {
      readonly status: 400 | 413
      readonly body: { readonly error: InvalidWebhookReason | "too_large"; readonly message: string }
    }

/** The most bytes of a body. The service's messages are far smaller. */
export const MAX_BYTES = 1_048_576

/** The answer to a body with more bytes. */
export const tooLarge: WebhookAnswer = {
  status: 413,
  body: { error: "too_large", message: `A webhook has at most ${MAX_BYTES} bytes.` }
}

const handled: WebhookAnswer = { status: 204 }

/** Handles an event by its type; undefined if nothing is to be done. */
export const dispatch = <Done>(
  { on, otherwise }: Pick<ReceiverOptions<Done>, "on" | "otherwise">,
  event: WebhookEvent,
  id: string
): Done | undefined => {
  const run = <Type extends WebhookEventType>(type: Type, one: WebhookEvents[Type]) =>
    Object.hasOwn(on, type) ? on[type]?.(one, { id }) : otherwise?.(event, { id })
  return run<WebhookEventType>(event.event_type, event)
}

/** The answer to a message that is refused. What else goes wrong is thrown again. */
export const refusedWebhook = (error: unknown): WebhookAnswer => {
  if (!(error instanceof InvalidWebhook)) throw error
  return { status: 400, body: { error: error.reason, message: error.message } }
}

/**
 * Makes a function that verifies and handles messages. It rejects with what a handler throws. Throws at once if the secret is
 * none, so that an app without one does not start.
 */
export const receiver = (options: ReceiverOptions) => {
  const { secret, tolerance, now } = options
  keysOf(secret)
  return async (
    body: WebhookRequest["body"],
    headers: WebhookRequest["headers"],
    id: string
  ): Promise<WebhookAnswer> => {
    const given = { ...(tolerance === undefined ? {} : { tolerance }), ...(now === undefined ? {} : { now }) }
    let event: WebhookEvent
    try {
      event = await verifyWebhook({ body, headers, secret, ...given })
    } catch (error) {
      return refusedWebhook(error)
    }
    await dispatch(options, event, id)
    return handled
  }
}

/** The answer as runtimes with `fetch` have it. */
const webhookResponse = ({ status, body }: WebhookAnswer): Response =>
  body === undefined ? new Response(null, { status }) : Response.json(body, { status })

/** The request of runtimes with `fetch`, or what a framework makes of it. */
export interface FetchRequest {
  readonly headers: Headers
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

/** Receives a message where requests and answers are those of `fetch`. Bodies that are too large are not read on. */
export const receiveFetched = async (
  receive: ReturnType<typeof receiver>,
  { headers, arrayBuffer }: FetchRequest
): Promise<Response> => {
  if (Number(headers.get("content-length")) > MAX_BYTES) return webhookResponse(tooLarge)
  const body = await arrayBuffer()
  if (body.byteLength > MAX_BYTES) return webhookResponse(tooLarge)
  return webhookResponse(await receive(body, headers, String(headers.get("webhook-id"))))
}

/** What an app is told that has parsed the body before its signature was verified. `remedy`: what to do. */
export const bodyWasParsed = (remedy: string): Error =>
  new Error(
    `The body was parsed before its signature could be verified, which takes the very bytes that came. ${remedy}`
  )
