import { Clock, Config, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Hook } from "#client/generated/types/Hook"
import { WrongUsage } from "../CommandFailed.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { severalFlag, switchFlag } from "../Flags.ts"
import { print, showProgress } from "../Output.ts"
import { remote } from "../Remote.ts"
import { MOMENTS, momentOf } from "../Since.ts"
import { timeText } from "../Time.ts"
import { WorkDone } from "../WorkDone.ts"

// Required, so that the help shows it as required. Empty by default, because --hook can name the hook instead.
const id = Argument.String("hook_id").pipe(
  Argument.withFallbackConfig(Config.succeed("")),
  Argument.withDescription("The hook whose messages to resend (see sallyport hooks list)")
)

const hook = Flag.String("hook").pipe(
  Flag.withMetavar("<hook_id>"),
  Flag.optional,
  Flag.withDescription("The hook, instead of the argument")
)

const since = Flag.String("since").pipe(
  Flag.withMetavar("<time>"),
  Flag.withDescription(`Resend messages recorded since this time: ${MOMENTS}`)
)

const until = Flag.String("until").pipe(
  Flag.withMetavar("<time>"),
  Flag.optional,
  Flag.withDescription("Resend messages recorded until this time. Default: now")
)

const type = severalFlag(
  "type",
  "event_type",
  "Only events of this type or prefix (user.). Can be repeated. Default: all"
)

const all = switchFlag(
  "all",
  "Also resend delivered and canceled messages. Default: only those that failed permanently or are waiting for a retry"
)

const dryRun = switchFlag("dry-run", "Only count the messages")

/** The approximate number of messages per request: small enough to be fast and to show progress. */
const PER_REQUEST = 1_000

/** The maximum number of requests per replay. */
const MAX_REQUESTS = 500

const moment = Effect.fnUntraced(function* (name: string, text: string) {
  const at = momentOf(text, yield* Clock.currentTimeMillis)
  if (at !== undefined) return at
  return yield* new WrongUsage({ happened: `--${name} ${text} is not a valid time.`, todo: `Use ${MOMENTS}.` })
})

const hookOf = Effect.fnUntraced(function* (argument: string, option: Option.Option<string>) {
  const named = Option.getOrElse(option, () => argument)
  const todo = "Give one hook. sallyport hooks list shows all hooks."
  if (named === "") return yield* new WrongUsage({ happened: "The argument <hook_id> is missing.", todo })
  if (argument === "" || argument === named) return named
  return yield* new WrongUsage({ happened: `${argument} and ${named} are two different hooks.`, todo })
})

/** Splits a time range in Unix seconds into roughly equal parts. */
export const partsOf = (since: number, until: number, count: number): ReadonlyArray<readonly [number, number]> => {
  const edge = (n: number) =>
    n === count ? until : Math.round((since + ((until - since) * n) / count) * 1_000) / 1_000
  return Array.from({ length: count }, (_, n) => [edge(n), edge(n + 1)] as const)
}

const messages = (count: number, { hook_type }: Hook) =>
  `${count} ${hook_type === "email" ? "email" : "message"}${count === 1 ? "" : "s"}`

const nameOf = (hook: Hook) => (hook.hook_type === "webhook" ? `${hook.id} (${hook.destination ?? ""})` : hook.id)

/** A note about the messages that a replay leaves out. */
const LEFT_ALONE = "Messages in progress or due within two minutes are sent anyway."

/** Explains how receivers recognize a repeated message. */
const aboutDuplicates = (hook: Hook): string =>
  hook.hook_type === "webhook"
    ? `Receivers can recognize repeated messages by their webhook-id, which stays the same. ${LEFT_ALONE}`
    : LEFT_ALONE

/** Resends deliveries that a hook's receiver has missed. */
export const replay = Command.make(
  "replay",
  { id, hook, since, until, type, all, dryRun, yes: Yes },
  Effect.fnUntraced(function* (given) {
    const hookId = yield* hookOf(given.id, given.hook)
    const { read, change } = yield* remote
    const { note } = yield* WorkDone
    const from = yield* moment("since", given.since)
    const to = yield* Option.match(given.until, {
      onNone: () => Effect.map(Clock.currentTimeMillis, (now) => now / 1_000),
      onSome: (text) => moment("until", text)
    })
    if (to <= from) return yield* new WrongUsage({ happened: "--until is not after --since." })
    const which = {
      state: given.all ? ("all" as const) : ("undelivered" as const),
      ...(given.type.length === 0 ? {} : { event_type: given.type })
    }
    const found = yield* read((sallyport, options) => sallyport.hooks.get(hookId, options))
    const { notifications: total } = yield* read((sallyport, options) =>
      sallyport.hooks.replay(hookId, { since: from, until: to, ...which, dry_run: true }, options)
    )
    const range = `recorded from ${timeText(from)} until ${timeText(to)} UTC`
    const result = { hook_id: found.id, since: from, until: to, ...which, dry_run: given.dryRun }
    if (given.dryRun || total === 0) {
      const which = given.all ? "" : ` that failed or ${total === 1 ? "is" : "are"} waiting for a retry`
      const says =
        total === 0
          ? `No messages ${given.all ? "" : "that failed or are waiting for a retry "}were ${range} for ${nameOf(found)}. ${LEFT_ALONE}`
          : undefined
      const hint = given.all || total > 0 ? "" : " Use --all to also resend delivered messages."
      return yield* print(
        { ...result, notifications: total },
        says === undefined
          ? `${messages(total, found)} of ${nameOf(found)}${which}, ${range}, would be resent.`
          : `${says}${hint}`
      )
    }
    if (found.hook_type === "email") {
      yield* confirm(`${messages(total, found)} will be sent to users again.`, found.id, given.yes)
    }
    const parts = partsOf(from, to, Math.min(MAX_REQUESTS, Math.ceil(total / PER_REQUEST)))
    let sent = 0
    for (const [n, [begin, end]] of parts.entries()) {
      yield* showProgress(`${sent} of ${total} messages (${Math.floor((n / parts.length) * 100)} %)`)
      const partialResult = `${messages(sent, found)} ${sent === 1 ? "was" : "were"} scheduled to be resent. Continue with --since ${new Date(begin * 1_000).toISOString()} --until ${new Date(to * 1_000).toISOString()}.`
      const { notifications } = yield* change(partialResult, (sallyport, options) =>
        sallyport.hooks.replay(hookId, { since: begin, until: end, ...which }, options)
      ).pipe(
        Effect.tapError(({ isRefusal, isUnsent }) =>
          (isRefusal === true || isUnsent === true) && sent === 0 ? Effect.void : note(() => partialResult)
        )
      )
      sent += notifications
    }
    yield* showProgress("")
    yield* print(
      { ...result, notifications: sent },
      `${messages(sent, found)} of ${nameOf(found)}, ${range}, ${sent === 1 ? "is" : "are"} being resent.\n${aboutDuplicates(found)}`
    )
  })
).pipe(
  Command.withDescription(
    "Resends a hook's messages from a time range, for example after a receiver was down or was restored from a backup: those that failed permanently or are waiting for a retry, or with --all also delivered and canceled ones. Retries start over. The webhook-id stays the same, so receivers can recognize messages they already have."
  ),
  Command.withShortDescription("Resends messages that a receiver has missed"),
  Command.withExamples([
    { command: "sallyport hooks replay hk_01m7y8xyj4 --since 2h --dry-run" },
    { command: "sallyport hooks replay hk_01m7y8xyj4 --since 2026-11-23T08:00Z --type user. --all" }
  ])
)
