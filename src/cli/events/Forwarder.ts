import { Clock, Effect } from "effect"
import type { EventItem } from "#client/generated/types/EventItem"
import { signedHeaders } from "#server/WebhookSigning"
import { WrongUsage } from "../CommandFailed.ts"
import { Fetch } from "../Remote.ts"
import { whyUnreachable } from "../RemoteFailure.ts"

/** The receiver of forwarded events. */
export interface Receiver {
  readonly url: string
  readonly secret: string
}

/** An attempt to forward an event. */
export interface Attempt {
  readonly webhookId: string
  /** The response's status, or why there was none. */
  readonly result: number | string
  readonly millis: number
  readonly isTaken: boolean
  /** The wait before the next attempt, in milliseconds. Undefined if there is none. */
  readonly retryIn: number | undefined
}

/** The waits before further attempts, in milliseconds. */
const RETRIES = [1_000, 2_000, 4_000, 8_000]

/** The time that a receiver has to respond, in milliseconds, as for webhooks. */
const TIMEOUT = 15_000

/** Parses the receiver's URL. Without a scheme, it is http. */
export const receiverUrl = Effect.fnUntraced(function* (text: string) {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  const isValid = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  if (isValid) return url.href
  return yield* new WrongUsage({
    happened: `--forward-to ${text} is not a valid URL.`,
    todo: "Use an http or https URL without a password, such as http://localhost:4000/hooks."
  })
})

/** Checks a webhook secret: `whsec_` and 24 to 64 bytes in Base64 (Standard Webhooks). */
export const receiverSecret = Effect.fnUntraced(function* (text: string) {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const { length } = Buffer.from(base64, "base64")
  if (length >= 24 && length <= 64) return text
  return yield* new WrongUsage({
    happened: "The value of --secret is not a webhook secret.",
    todo: "A webhook secret is whsec_ followed by 24 to 64 bytes in Base64. Without --secret, one is generated."
  })
})

/** The `webhook-id` of a forwarded event: the same each time it is forwarded (C288). */
const webhookIdOf = ({ id }: EventItem) => `ent_${id.slice("ev_".length)}`

/** Posts an event as a webhook would be, up to five times. Passes each attempt to `report`. Returns whether it was accepted. */
export const forward = Effect.fnUntraced(function* <E, R>(
  { url, secret }: Receiver,
  event: EventItem,
  report: (attempt: Attempt) => Effect.Effect<void, E, R>
) {
  const send = yield* Fetch
  const body = JSON.stringify(event)
  const webhookId = webhookIdOf(event)
  for (let attempts = 0; ; attempts += 1) {
    const headers = yield* signedHeaders(secret, webhookId, body)
    const startedAt = yield* Clock.currentTimeMillis
    const result = yield* Effect.tryPromise({
      try: async (signal) => {
        const response = await send(url, { method: "POST", headers, body, redirect: "manual", signal })
        await response.body?.getReader().cancel()
        return response.status
      },
      catch: whyUnreachable
    }).pipe(
      Effect.timeoutOrElse({ duration: TIMEOUT, orElse: () => Effect.succeed("no response in time") }),
      Effect.catch((why) => Effect.succeed(why))
    )
    const isTaken = typeof result === "number" && result >= 200 && result < 300
    const retryIn = isTaken || result === 410 ? undefined : RETRIES[attempts]
    yield* report({ webhookId, result, millis: (yield* Clock.currentTimeMillis) - startedAt, isTaken, retryIn })
    if (retryIn === undefined) return isTaken
    yield* Effect.sleep(retryIn)
  }
})
