import { DateTime } from "effect"
import { type EventId, earliestId, millisOf } from "./Ids.ts"
import { type Problem, problem } from "./Rejected.ts"

/** How many days events are kept at least, longer than any delivery takes, and at most; and unless told otherwise. */
export const EVENT_DAYS = { least: 35, most: 3_650, otherwise: 365 } as const

const DAY = 86_400_000

const midnight = (millis: number) => Math.floor(millis / DAY) * DAY

/** The first event that is kept, where they are kept for so many days. They go by whole days, in UTC. */
export const firstEventKept = (days: number, now: DateTime.Utc): EventId =>
  earliestId("event", midnight(now.epochMilliseconds) - days * DAY)

/** When an event is kept no longer. */
export const eventEnd = (id: EventId, days: number): DateTime.Utc =>
  DateTime.makeUnsafe(midnight(millisOf(id)) + (days + 1) * DAY)

/** What is wrong with how long a realm wants its events kept, in a deployment that keeps them for `most` days. */
export const eventDaysProblems = (days: number | null | undefined, most: number): ReadonlyArray<Problem> => {
  const least = Math.min(EVENT_DAYS.least, most)
  return days === null || days === undefined || (days >= least && days <= most)
    ? []
    : [problem("event_retention_days", "range", { least, most })]
}
