import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { EventItem } from "#client/generated/types/EventItem"
import { WrongUsage } from "../CommandFailed.ts"
import { momentFlag, momentIn, requireOneStart, typeFlag } from "../events/EventFilter.ts"
import { withoutToken } from "../events/EventTable.ts"
import { realmFlag, switchFlag } from "../Flags.ts"
import { printStatus } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { readOnly } from "../WorkDone.ts"

const after = Flag.String("after").pipe(
  Flag.withMetavar("<event_id>"),
  Flag.optional,
  Flag.withDescription("Continue after this event: the ID in the last line of an earlier export")
)

const since = momentFlag("since", "Start at this time, instead of --after", "the first stored event")

const follow = switchFlag("follow", "Keep writing new events until the command is stopped")

/** The default age in seconds at which an event is written (C234). */
const SETTLED_AFTER = 300

const settle = Flag.Int("settle").pipe(
  Flag.withMetavar("<seconds>"),
  Flag.withDefault(SETTLED_AFTER),
  Flag.withDescription(
    `Only write events older than this, so that no event still being recorded is missed. Default: ${SETTLED_AFTER}`
  )
)

/** Events per request. */
const PAGE = 1_000

/** The polling interval. */
const PERIOD = "5 seconds"

const lineOf = (event: EventItem): string => `${JSON.stringify(withoutToken(event))}\n`

/** `sallyport events export` */
export const eventsExport = Command.make(
  "export",
  { realm: realmFlag, after, since, follow, type: typeFlag, settle },
  Effect.fnUntraced(function* (given) {
    const { read } = yield* remoteIn(given.realm)
    const screen = yield* Screen
    yield* requireOneStart(given.after, given.since)
    if (given.settle < 0)
      return yield* new WrongUsage({ happened: `--settle ${given.settle} is not a number of seconds.` })
    const createdAfter = yield* momentIn("since", given.since)
    let last = Option.getOrUndefined(given.after)
    let isAnyWritten = false
    let withheld = 0

    const next = Effect.gen(function* () {
      // Computed before the request, so that events older than this can no longer be missing from the page.
      const settledBefore = (yield* Clock.currentTimeMillis) / 1_000 - given.settle
      const page = yield* read((sallyport, options) =>
        sallyport.events.list(
          {
            direction: "asc",
            max_results: PAGE,
            ...(last === undefined ? {} : { after: last }),
            ...(createdAfter === undefined ? {} : { created_at_after: createdAfter }),
            ...(given.type.length === 0 ? {} : { event_type: given.type })
          },
          options
        )
      )
      const recent = page.items.findIndex(({ event_at }) => event_at > settledBefore)
      const settled = recent < 0 ? page.items : page.items.slice(0, recent)
      if (settled.length > 0) yield* screen.out(settled.map(lineOf).join(""))
      last = settled.at(-1)?.id ?? last
      isAnyWritten ||= settled.length > 0
      withheld = page.items.length - settled.length
      return settled.length === PAGE
    })

    for (;;) {
      const hasMore = yield* next
      if (!hasMore && !isAnyWritten && withheld > 0) {
        yield* printStatus(
          `Nothing was written${given.follow ? " yet" : ""}: events are written once they are ${given.settle} seconds old, so that no event still being recorded is missed. Use --settle 0 to write newer events as well.`
        )
        isAnyWritten = true
      }
      if (!hasMore && !given.follow) return
      if (!hasMore) yield* Effect.sleep(PERIOD)
    }
  }, readOnly)
).pipe(
  Command.withDescription(
    "Writes a realm's events to stdout, oldest first, as one JSON object per line, for an archive or a SIEM. To continue later, pass the ID of the last line to --after. One-time tokens are left out."
  ),
  Command.withShortDescription("Writes events as NDJSON, in order"),
  Command.withExamples([
    { command: "sallyport events export --since 2026-11-01 --realm rl_… > events.ndjson" },
    { command: "sallyport events export --after ev_… --follow --realm rl_… >> events.ndjson" }
  ])
)
