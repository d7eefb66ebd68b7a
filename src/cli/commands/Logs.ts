import { Effect } from "effect"
import { Command } from "effect/cli"
import type { EventItem } from "#client/generated/types/EventItem"
import type { EventType } from "#client/generated/types/EventType"
import type { NotificationItem } from "#client/generated/types/NotificationItem"
import { momentFlag, momentIn } from "../events/EventFilter.ts"
import { detailsOf, subjectOf, withoutToken } from "../events/EventTable.ts"
import { limitFlag, realmFlag, requireLimit } from "../Flags.ts"
import { limitedList, printList } from "../LimitedList.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { readOnly } from "../WorkDone.ts"

/** The event types that report a failure. */
const failures: ReadonlyArray<EventType> = [
  "hook.disabled",
  "oauth.code.reused",
  "oauth.logout.failed",
  "oauth.refresh.reused",
  "token.too_large",
  "user.blocked",
  "user.login.failed",
  "user.password_token.failed"
]

/** An entry of the log: a delivery that failed permanently, or an event that reports a failure. */
type Entry = NotificationItem | Omit<EventItem, "token">

const timeOf = (entry: Entry): number =>
  entry.object === "event" ? entry.event_at : (entry.last_attempt_at ?? entry.event_at)

const cellsOf = (entry: Entry): ReadonlyArray<string> => {
  const time = timeText(timeOf(entry))
  if (entry.object === "event") return [time, entry.event_type, subjectOf(entry), detailsOf(entry)]
  const [result = ""] = (entry.last_result ?? "").split("\n")
  const to = entry.last_destination === null ? "" : ` to ${entry.last_destination}`
  return [time, `${entry.hook_type} failed`, entry.event_id, `${entry.event_type}${to}: ${result}`]
}

/** Shows what failed in a realm. */
export const logs = Command.make(
  "logs",
  {
    since: momentFlag("since", "Only failures after this time", "all"),
    limit: limitFlag("failures"),
    realm: realmFlag
  },
  Effect.fnUntraced(function* (given) {
    const { read } = yield* remoteIn(given.realm)
    yield* requireLimit(given.limit)
    const since = yield* momentIn("since", given.since)
    const [deliveries, events] = yield* read((sallyport, options) =>
      Promise.all([
        limitedList(given.limit, (max_results) => sallyport.notifications.list({ max_results }, options)),
        limitedList(given.limit, (max_results) =>
          sallyport.events.list(
            { direction: "desc", max_results, event_type: failures, created_at_after: since },
            options
          )
        )
      ])
    )
    const entries: ReadonlyArray<Entry> = [...deliveries.items, ...events.items.map(withoutToken)]
    const found = entries
      .filter((entry) => timeOf(entry) > (since ?? 0))
      .toSorted((one, other) => timeOf(other) - timeOf(one))
    const isCut = deliveries.isCut || events.isCut || found.length > given.limit
    const shown = { items: found.slice(0, given.limit), isCut }
    yield* printList("failures", shown, ["TIME", "WHAT", "ABOUT", "DETAILS"], cellsOf)
  }, readOnly)
).pipe(
  Command.withDescription(
    "Lists what failed in a realm, newest first: webhooks and emails that could not be delivered, failed logins, blocked users, reused tokens and disabled hooks. sallyport hooks replay resends deliveries. Times are in UTC."
  ),
  Command.withShortDescription("Lists failed deliveries and logins"),
  withRemote,
  Command.withExamples([{ command: "sallyport logs --since 1d" }])
)
