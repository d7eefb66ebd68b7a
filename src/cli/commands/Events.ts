import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { EventItem } from "#client/generated/types/EventItem"
import { earliestId } from "#domain/Ids"
import { WrongUsage } from "../CommandFailed.ts"
import { followEvents } from "../events/EventFeed.ts"
import { filterFlags, filterOf, momentFlag, momentIn } from "../events/EventFilter.ts"
import { eventCells, eventHeaders, eventLine, withoutToken } from "../events/EventTable.ts"
import { realmFlag } from "../Flags.ts"
import { AsJson, print, printStatus } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { table } from "../Table.ts"
import { readOnly } from "../WorkDone.ts"
import { eventsExport } from "./EventsExport.ts"

/** The maximum number of events per request. */
const PAGE = 1_000

/** How much earlier than its time an event's ID may have been created, in milliseconds (C234). */
const ID_SLACK = 300_000

const limit = Flag.Int("limit").pipe(
  Flag.withMetavar("<number>"),
  Flag.withDefault(50),
  Flag.withDescription("The maximum number of events. Default: 50")
)

const list = Command.make(
  "list",
  {
    ...filterFlags,
    since: momentFlag("since", "Only events after this time", "all"),
    until: momentFlag("until", "Only events until this time", "now"),
    limit,
    realm: realmFlag
  },
  Effect.fnUntraced(function* (given) {
    const { read } = yield* remoteIn(given.realm)
    if (given.limit < 1) return yield* new WrongUsage({ happened: `--limit ${given.limit} is not a positive number.` })
    const since = yield* momentIn("since", given.since)
    const until = yield* momentIn("until", given.until)
    if (since !== undefined && (until ?? Infinity) <= since) {
      return yield* new WrongUsage({ happened: "--until is not after --since." })
    }
    const query = {
      direction: "desc" as const,
      max_results: until === undefined ? Math.min(given.limit, PAGE) : PAGE,
      ...filterOf(given),
      ...(since === undefined ? {} : { created_at_after: since }),
      ...(until === undefined ? {} : { after: earliestId("event", until * 1_000 + ID_SLACK) })
    }
    const events = yield* read(async (sallyport, options) => {
      const found: Array<EventItem> = []
      for await (const event of sallyport.events.list(query, options)) {
        if (event.event_at <= (until ?? Infinity)) found.push(event)
        if (found.length === given.limit) break
      }
      return found
    })
    if (events.length === 0) yield* printStatus("No events found.")
    yield* print(events.map(withoutToken), table([eventHeaders, ...events.map(eventCells)]))
  }, readOnly)
).pipe(
  Command.withDescription("Lists a realm's events, newest first. Times are in UTC. One-time tokens are left out."),
  Command.withShortDescription("Lists events, newest first"),
  Command.withExamples([
    { command: "sallyport events list --user ada@example.com --since 1d" },
    { command: "sallyport events list --type user.login.failed --limit 10 --json" }
  ])
)

const tail = Command.make(
  "tail",
  { ...filterFlags, since: momentFlag("since", "Start at this time", "now"), realm: realmFlag },
  Effect.fnUntraced(function* (given) {
    const remote = yield* remoteIn(given.realm)
    const screen = yield* Screen
    const isJson = yield* AsJson
    const start = { after: undefined, since: yield* momentIn("since", given.since) }
    yield* followEvents(remote, filterOf(given), start, (event) =>
      screen.out(isJson ? `${JSON.stringify(withoutToken(event))}\n` : eventLine(event))
    )
  }, readOnly)
).pipe(
  Command.withDescription(
    "Shows a realm's events as they happen, until it is stopped. While the service restarts, it waits. With --json, prints one JSON object per line. Times are in UTC. One-time tokens are left out."
  ),
  Command.withShortDescription("Shows events as they happen"),
  Command.withExamples([
    { command: "sallyport events tail --type user.login." },
    { command: "sallyport events tail --json | jq -r .event_type" }
  ])
)

/** The `events` command. */
export const events = Command.make("events").pipe(
  Command.withDescription("Lists, follows and exports a realm's events"),
  Command.withSubcommands([list, tail, eventsExport]),
  withRemote
)
