import { type Now, nowSeconds } from "./Now.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

export type { WebhookEvent, WebhookEvents, WebhookEventType } from "./WebhookEvent.ts"

/** The reason why a webhook is rejected. */
export type InvalidWebhookReason =
  | "missing_header"
  | "malformed_header"
  | "too_old"
  | "too_new"
  | "wrong_signature"
  | "malformed_body"

/** A webhook that was not sent by the service, was modified, or is too old. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook"
  /** The reason, for programs. */
  readonly reason: InvalidWebhookReason

  constructor(reason: InvalidWebhookReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The headers of a request, from `fetch` or from Node. Names may be in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A received webhook and the secret to verify it with. */
export interface WebhookRequest {
  /** The raw body, before any parsing. */
  readonly body: Uint8Array | ArrayBuffer | string
  readonly headers: WebhookHeaders
  /** The secret of the hook (`whsec_…`). During a rotation, both the old and the new one. */
  readonly secret: string | ReadonlyArray<string>
  /** The maximum difference between `webhook-timestamp` and the clock, in seconds. Default: 300. */
  readonly tolerance?: number
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
}

const DEFAULT_TOLERANCE = 300

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

const hmac = { name: "HMAC", hash: "SHA-256" }

/** Decodes Base64. Returns undefined for any other text. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The maximum number of imported keys that are cached. An app has one or two. */
const MAX_KEYS = 20

type Key = ReturnType<typeof crypto.subtle.importKey>

const keys = new Map<string, Key>()

const importKey = (secret: string): Key => {
  const [, base64 = ""] = SECRET.exec(secret) ?? []
  const bytes = bytesOf(base64)
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("A webhook secret is whsec_ followed by Base64, as returned by the API.")
  const key = crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"])
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(secret, key)
  return key
}

/** Returns the keys for one or several secrets. Throws if a secret is not a webhook secret. */
export const keysOf = (secret: WebhookRequest["secret"]): ReadonlyArray<Key> => {
  const imported = [secret].flat().map((each) => keys.get(each) ?? importKey(each))
  if (imported.length === 0) throw new TypeError("A webhook secret is required.")
  return imported
}

const headerIn = (headers: WebhookHeaders, name: string): string => {
  let value: unknown
  if (typeof headers["get"] === "function") value = headers.get(name)
  else value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof text === "string" && text !== "") return text
  throw new InvalidWebhook("missing_header", `The header ${name} is missing.`)
}

/** The signed bytes: the ID, the timestamp and the body, separated by dots. */
const signedBytes = (id: string, timestamp: string, body: WebhookRequest["body"]): Uint8Array<ArrayBuffer> => {
  const content = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const all = new Uint8Array(start.length + content.length)
  all.set(start)
  all.set(content, start.length)
  return all
}

/** Compares in constant time. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.reduce((differing, byte, at) => differing | (byte ^ (other[at] ?? 0)), 0) === 0

/**
 * Whether an event has the members that the code relies on. If they are missing from a signed body, it is not from this
 * service.
 */
const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === "object" && value !== null && "event_type" in value && typeof value.event_type === "string"

const parsed = (body: WebhookRequest["body"]): WebhookEvent => {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
    if (isEvent(value)) return value
  } catch {}
  throw new InvalidWebhook("malformed_body", "The body is not an event.")
}

/** Rejects timestamps too far from the clock, to prevent replays of old messages. */
const checkTime = (timestamp: string, { tolerance = DEFAULT_TOLERANCE, ...request }: WebhookRequest) => {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new InvalidWebhook("malformed_header", "The header webhook-timestamp is not a time in seconds.")
  const age = nowSeconds(request.now) - Number(timestamp)
  if (age > tolerance) throw new InvalidWebhook("too_old", `The webhook was sent ${age} seconds ago.`)
  if (-age > tolerance)
    throw new InvalidWebhook("too_new", `The webhook was sent ${-age} seconds in the future. Check the clock.`)
}

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. Rejects with `InvalidWebhook`, whose `reason` explains
 * why.
 *
 *     const event = await verifyWebhook({ body, headers: request.headers, secret: "whsec_…" })
 *     if (event.event_type === "user.created") welcome(event.user_id)
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const { body, headers, secret } = request
  const imported = keysOf(secret)
  const [id, timestamp] = [headerIn(headers, "webhook-id"), headerIn(headers, "webhook-timestamp")]
  const sent = headerIn(headers, "webhook-signature").split(" ")
  checkTime(timestamp, request)
  const signatures = sent
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => bytesOf(signature.slice("v1,".length)))
    .filter((signature) => signature !== undefined)
  if (signatures.length === 0)
    throw new InvalidWebhook("malformed_header", "The header webhook-signature has no signature of version 1.")
  const data = signedBytes(id, timestamp, body)
  const right = await Promise.all(
    imported.map(async (key) => new Uint8Array(await crypto.subtle.sign("HMAC", await key, data)))
  )
  if (!right.some((one) => signatures.some((signature) => isSame(one, signature))))
    throw new InvalidWebhook("wrong_signature", "No signature matches this body and secret. Is the body unmodified?")
  return parsed(body)
}
