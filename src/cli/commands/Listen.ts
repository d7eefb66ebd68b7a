import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { EventItem } from "#client/generated/types/EventItem"
import { newWebhookSecret } from "#server/WebhookSigning"
import { followEvents } from "../events/EventFeed.ts"
import { momentFlag, momentIn, requireOneStart } from "../events/EventFilter.ts"
import { type Attempt, forward, receiverSecret, receiverUrl } from "../events/Forwarder.ts"
import { realmFlag } from "../Flags.ts"
import { AsJson } from "../Output.ts"
import { readRemembered, saveRemembered } from "../Remembered.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { WorkDone } from "../WorkDone.ts"

const forwardTo = Flag.String("forward-to").pipe(
  Flag.withMetavar("<url>"),
  Flag.withDescription("The URL that receives the events, such as http://localhost:4000/hooks")
)

const events = Flag.String("events").pipe(
  Flag.withMetavar("<types>"),
  Flag.optional,
  Flag.withDescription("Only events of these types or prefixes, separated by commas (user.,org.created). Default: all")
)

const after = Flag.String("after").pipe(
  Flag.withMetavar("<event_id>"),
  Flag.optional,
  Flag.withDescription("Start after this event. Default: only new events")
)

const since = momentFlag("since", "Start at this time, instead of --after", "now")

const secret = Flag.String("secret").pipe(
  Flag.withMetavar("<whsec_…>"),
  Flag.optional,
  Flag.withDescription("The secret that signs the requests. Default: a generated one, the same each time")
)

/** The types in `--events`. */
const typesIn = (text: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(text, { onNone: () => [], onSome: (types) => types.split(",") })
    .map((type) => type.trim())
    .filter((type) => type !== "")

/** The secret of earlier runs, generated in the first one. If it can't be stored, it is new each time. */
const ownSecret = Effect.gen(function* () {
  const remembered = yield* readRemembered
  if (remembered.webhook_secret !== undefined) return remembered.webhook_secret
  const generated = yield* newWebhookSecret
  yield* Effect.ignore(saveRemembered({ ...remembered, webhook_secret: generated }))
  return generated
})

const attemptText = (event: EventItem, { result, millis, isTaken, retryIn }: Attempt): string => {
  const next = retryIn === undefined ? "not forwarded" : `next attempt in ${retryIn / 1_000} s`
  const cells = [timeText(event.event_at), event.event_type, event.id, String(result), `${millis} ms`]
  return `${[...cells, ...(isTaken ? [] : [next])].map(visible).join("  ")}\n`
}

const attemptJson = (event: EventItem, { webhookId, result, millis, isTaken, retryIn }: Attempt): string =>
  `${JSON.stringify({
    object: "attempt",
    event_id: event.id,
    event_type: event.event_type,
    event_at: event.event_at,
    webhook_id: webhookId,
    status: typeof result === "number" ? result : null,
    error: typeof result === "number" ? null : result,
    ms: millis,
    forwarded: isTaken,
    retry_in: retryIn === undefined ? null : retryIn / 1_000
  })}\n`

/** Forwards a realm's events to a URL on this machine. */
export const listen = Command.make(
  "listen",
  { forwardTo, realm: realmFlag, events, after, since, secret },
  Effect.fnUntraced(function* (given) {
    const remote = yield* remoteIn(given.realm)
    const url = yield* receiverUrl(given.forwardTo)
    yield* requireOneStart(given.after, given.since)
    const start = { after: Option.getOrUndefined(given.after), since: yield* momentIn("since", given.since) }
    const receiver = {
      url,
      secret: Option.isSome(given.secret) ? yield* receiverSecret(given.secret.value) : yield* ownSecret
    }
    const { note } = yield* WorkDone
    const screen = yield* Screen
    const isJson = yield* AsJson
    const types = typesIn(given.events)

    let forwarded = 0
    let failed = 0
    let last = start.after
    yield* note(() => {
      const counts = `${forwarded} ${forwarded === 1 ? "event was" : "events were"} forwarded${failed === 0 ? "" : `, ${failed} not`}.`
      return last === undefined ? counts : `${counts} To continue here, use --after ${last}.`
    })
    yield* screen.out(
      isJson
        ? `${JSON.stringify({ object: "listener", forward_to: url, secret: receiver.secret })}\n`
        : `Forwarding events of ${remote.url} to ${url}. The signing secret is ${receiver.secret}\nPress Ctrl-C to stop.\n`
    )
    yield* followEvents(remote, types.length === 0 ? {} : { event_type: types }, start, (event) =>
      Effect.gen(function* () {
        if (event.token === null && !isJson) {
          yield* screen.err(
            `The next event has no token: it was used or has expired, or the API key is below level write.\n`
          )
        }
        const isTaken = yield* forward(receiver, event, (attempt) =>
          screen.out(isJson ? attemptJson(event, attempt) : attemptText(event, attempt))
        )
        forwarded += isTaken ? 1 : 0
        failed += isTaken ? 0 : 1
        last = event.id
      })
    )
  })
).pipe(
  Command.withDescription(
    "Forwards a realm's events to a URL as they happen, for developing a webhook receiver: with the same body, headers and signature as a webhook, but from this machine, so the service needn't reach it. Failed requests are retried four times, with the same webhook-id. With --json, prints an object per attempt. Requires a key of level read; one-time tokens require level write."
  ),
  Command.withShortDescription("Forwards events to a URL on this machine"),
  withRemote,
  Command.withExamples([
    { command: "sallyport listen --forward-to http://localhost:4000/hooks --realm rl_…" },
    {
      command: "sallyport listen --forward-to localhost:4000/hooks --events user.,org.created --since 10m",
      description: "Some types, starting with events of the last ten minutes"
    }
  ])
)
