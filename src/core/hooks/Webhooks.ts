import { Context, DateTime, Effect, Layer } from "effect"
import type { Webhook } from "#domain/AppHook"
import { type Outcome, RESULT_LENGTH } from "#domain/Delivery"
import { type NoAnswer, Outbound, type OutboundAnswer } from "#platform/Outbound"
import type { Sign } from "./WebhookSignature.ts"

/** What a hook's owner reads where there was no answer. */
const silences: Readonly<Record<NoAnswer, string>> = {
  forbidden: "The destination is not allowed.",
  unreachable: "The destination could not be reached.",
  timed_out: "The destination did not respond in time.",
  broken_off: "The destination's response was cut off."
}

const unsigned: Outcome = {
  _tag: "Refused",
  result: "The hook's signing secret can't be read. Rotate it.",
  retryAfter: undefined
}

/** When a receiver wants the next attempt: `Retry-After` as seconds or as a date. */
const retryAfter = ({ status, retryAfter: header }: OutboundAnswer, now: DateTime.Utc): DateTime.Utc | undefined => {
  if (header === undefined || (status !== 429 && status !== 503)) return undefined
  if (/^\d{1,9}$/.test(header)) return DateTime.add(now, { seconds: Number(header) })
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : DateTime.makeUnsafe(at)
}

/** What an answer means (decision 37): 2xx is done, 410 is never again, anything else is another try. */
export const answered = (answer: OutboundAnswer, now: DateTime.Utc): Outcome => {
  const { status, excerpt } = answer
  const result = `HTTP ${status}${excerpt === "" ? "" : `\n${excerpt}`}`.slice(0, RESULT_LENGTH).toWellFormed()
  if (status >= 200 && status < 300) return { _tag: "Delivered", result }
  if (status === 410) return { _tag: "Gone", result }
  return { _tag: "Refused", result, retryAfter: retryAfter(answer, now) }
}

/** Posts to the destinations of webhooks, by the Standard Webhooks specification. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Posts a message to a hook, once. `id`: the same for each try of one message. `sign`: undefined where the hook's secret
     * can't be opened, and nothing is sent.
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
        return answered(answer, yield* DateTime.now)
      })

      return Webhooks.of({
        post: (hook, sign, id, body) =>
          sign === undefined
            ? Effect.succeed(unsigned)
            : Effect.catch(post(hook, sign, id, body), ({ reason }) =>
                Effect.succeed<Outcome>({ _tag: "Refused", result: silences[reason], retryAfter: undefined })
              )
      })
    })
  )
}
