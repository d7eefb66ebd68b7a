import { Clock, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { ListEvents } from "#client/generated/v2/Events"
import { WrongUsage } from "../CommandFailed.ts"
import { severalFlag } from "../Flags.ts"
import { MOMENTS, momentOf } from "../Since.ts"

/** `--type`: the event types or prefixes of types. */
export const typeFlag = severalFlag(
  "type",
  "event_type",
  "Only events of this type or prefix (user.). Can be repeated. Default: all"
)

/** A point in time, as an option. `about`: its description, followed by the accepted formats. */
export const momentFlag = (name: string, about: string, otherwise: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("<time>"),
    Flag.optional,
    Flag.withDescription(`${about}: ${MOMENTS}. Default: ${otherwise}`)
  )

/** The options that select events by type, user and org. */
export const filterFlags = {
  type: typeFlag,
  user: Flag.String("user").pipe(
    Flag.withMetavar("<user>"),
    Flag.optional,
    Flag.withDescription("Only events of this user: an ID or email. Default: all")
  ),
  org: Flag.String("org").pipe(
    Flag.withMetavar("<org_id>"),
    Flag.optional,
    Flag.withDescription("Only events of this org. Default: all")
  )
}

/** Converts `filterFlags` to the list's query. */
export const filterOf = ({
  type,
  user,
  org
}: {
  readonly type: ReadonlyArray<string>
  readonly user: Option.Option<string>
  readonly org: Option.Option<string>
}): ListEvents => ({
  ...(type.length === 0 ? {} : { event_type: type }),
  ...(Option.isNone(user) ? {} : { user_id: user.value }),
  ...(Option.isNone(org) ? {} : { org_id: org.value })
})

/** Parses a point in time given by an option, to Unix seconds. */
export const momentIn = Effect.fnUntraced(function* (name: string, text: Option.Option<string>) {
  if (Option.isNone(text)) return undefined
  const at = momentOf(text.value, yield* Clock.currentTimeMillis)
  if (at !== undefined) return at
  return yield* new WrongUsage({ happened: `--${name} ${text.value} is not a valid time.`, todo: `Use ${MOMENTS}.` })
})

/** Rejects two starting points. */
export const requireOneStart = Effect.fnUntraced(function* (
  after: Option.Option<string>,
  since: Option.Option<string>
) {
  if (Option.isNone(after) || Option.isNone(since)) return
  return yield* new WrongUsage({ happened: "--after and --since can't be combined.", todo: "Use only one of them." })
})
