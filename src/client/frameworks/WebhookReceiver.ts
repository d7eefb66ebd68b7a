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

/** The metadata of a message, besides its event. */
export interface WebhookMessage {
  /** The `webhook-id`. It stays the same when a message is sent again, so that receivers can recognize duplicates. */
  readonly id: string
}

/** The handlers by event type. `Done`: the return type of the handlers. */
export type WebhookHandlers<Done> = {
  readonly [Type in WebhookEventType]?: (event: WebhookEvents[Type], message: WebhookMessage) => Done
}

/** The options for receiving webhooks. */
export interface ReceiverOptions<Done = unknown> extends Pick<WebhookRequest, "secret" | "tolerance" | "now"> {
  /** The handlers of events. If a handler throws, the message is sent again. */
  readonly on: WebhookHandlers<Done>
  /** The handler of all other event types. Default: ignore them. */
  readonly otherwise?: (event: WebhookEvent, message: WebhookMessage) => Done
}

/** The response to a message: 204, or 400 with a code (`error`) and a message (`message`). */
export type WebhookAnswer =
  | { readonly status: 204; readonly body?: never }
  | {
      readonly status: 400 | 413
      readonly body: { readonly error: InvalidWebhookReason | "too_large"; readonly message: string }
    }

/** The maximum size of a body, in bytes. The service's messages are far smaller. */
export const MAX_BYTES = 1_048_576

/** The response to larger bodies. */
export const tooLarge: WebhookAnswer = {
  status: 413,
  body: { error: "too_large", message: `Webhooks have at most ${MAX_BYTES} bytes.` }
}

const handled: WebhookAnswer = { status: 204 }

/** Calls the handler for an event. Returns undefined if there is none. */
export const dispatch = <Done>(
  { on, otherwise }: Pick<ReceiverOptions<Done>, "on" | "otherwise">,
  event: WebhookEvent,
  id: string
): Done | undefined => {
  const run = <Type extends WebhookEventType>(type: Type, one: WebhookEvents[Type]) =>
    Object.hasOwn(on, type) ? on[type]?.(one, { id }) : otherwise?.(event, { id })
  return run<WebhookEventType>(event.event_type, event)
}

/** The response to a rejected message. Rethrows other errors. */
export const rejectedWebhook = (error: unknown): WebhookAnswer => {
  if (!(error instanceof InvalidWebhook)) throw error
  return { status: 400, body: { error: error.reason, message: error.message } }
}

/**
 * Creates a function that verifies and handles messages. Its promise rejects with a handler's error. Throws immediately
 * if the secret is invalid, so that a misconfigured app doesn't start.
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
      return rejectedWebhook(error)
    }
    await dispatch(options, event, id)
    return handled
  }
}

/** The response for runtimes with `fetch`. */
const webhookResponse = ({ status, body }: WebhookAnswer): Response =>
  body === undefined ? new Response(null, { status }) : Response.json(body, { status })

/** The request in runtimes with `fetch`, or an equivalent from a framework. */
export interface FetchRequest {
  readonly headers: Headers
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

/** Receives a message in `fetch` style. Stops reading bodies that are too large. */
export const receiveFetched = async (
  receive: ReturnType<typeof receiver>,
  { headers, arrayBuffer }: FetchRequest
): Promise<Response> => {
  if (Number(headers.get("content-length")) > MAX_BYTES) return webhookResponse(tooLarge)
  const body = await arrayBuffer()
  if (body.byteLength > MAX_BYTES) return webhookResponse(tooLarge)
  return webhookResponse(await receive(body, headers, String(headers.get("webhook-id"))))
}

/** The error for an app that parsed the body before its signature was verified. `remedy`: how to prevent that. */
export const parsedBodyError = (remedy: string): Error =>
  new Error(`The body was parsed before its signature could be verified, which requires the raw body. ${remedy}`)
