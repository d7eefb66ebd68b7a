import { Context, DateTime, Effect, Layer } from "effect"
import type { Webhook } from "#domain/AppHook"
import { MAX_RESULT_LENGTH, type Outcome } from "#domain/Delivery"
import { deliveryResults } from "#domain/DeliveryResult"
import { Outbound, type PostResponse } from "#platform/Outbound"
import type { Sign } from "./WebhookSignature.ts"

const secretUnreadable: Outcome = {
  _tag: "Refused",
  result: deliveryResults.secret_unreadable,
  retryAfter: undefined
}

/** Returns when the receiver wants the next attempt. `Retry-After` can be a number of seconds or a date. */
const retryAfter = ({ status, retryAfter: header }: PostResponse, now: DateTime.Utc): DateTime.Utc | undefined => {
  if (header === undefined || (status !== 429 && status !== 503)) return undefined
  if (/^\d{1,9}$/.test(header)) return DateTime.add(now, { seconds: Number(header) })
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : DateTime.makeUnsafe(at)
}

/** Maps a response to an outcome (C37): 2xx means delivered, 410 disables the hook, any other status is retried. */
export const outcomeOf = (answer: PostResponse, now: DateTime.Utc): Outcome => {
  const { status, excerpt } = answer
  const result = `HTTP ${status}${excerpt === "" ? "" : `\n${excerpt}`}`.slice(0, MAX_RESULT_LENGTH).toWellFormed()
  if (status >= 200 && status < 300) return { _tag: "Delivered", result }
  if (status === 410) return { _tag: "Gone", result }
  return { _tag: "Refused", result, retryAfter: retryAfter(answer, now) }
}

/** Sends webhook requests (Standard Webhooks). */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Sends one webhook request. `id` is the same in all attempts for a message. If `sign` is undefined because the hook's
     * secret can't be decrypted, nothing is sent.
     */
    post(hook: Webhook, sign: Sign | undefined, id: string, body: string): Effect.Effect<Outcome>
  }
>()("sallyport/core/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const outbound = yield* Outbound

      const post = Effect.fnUntraced(function* (hook: Webhook, sign: Sign, id: string, body: string) {
        const headers = sign(id, body, yield* DateTime.now)
        const answer = yield* outbound.post({ url: hook.destination, headers, body })
        return outcomeOf(answer, yield* DateTime.now)
      })

      return Webhooks.of({
        post: (hook, sign, id, body) =>
          sign === undefined
            ? Effect.succeed(secretUnreadable)
            : Effect.catch(post(hook, sign, id, body), ({ reason }) =>
                Effect.succeed<Outcome>({ _tag: "Refused", result: deliveryResults[reason], retryAfter: undefined })
              )
      })
    })
  )
}
