import { DateTime } from "effect"
import { type EventId, earliestId, millisOf } from "./Ids.ts"
import { type Problem, problem } from "./Rejected.ts"

/** The range and default of event retention, in days. The minimum is longer than any delivery takes. */
export const RETENTION_DAYS = { least: 35, most: 3_650, otherwise: 365 } as const

const DAY = 86_400_000

const midnight = (millis: number) => Math.floor(millis / DAY) * DAY

/** The lowest possible id of a retained event, given the retention in days. Retention works in whole UTC days. */
export const oldestRetainedEvent = (days: number, now: DateTime.Utc): EventId =>
  earliestId("event", midnight(now.epochMilliseconds) - days * DAY)

/** When the retention of an event ends. */
export const retentionEnd = (id: EventId, days: number): DateTime.Utc =>
  DateTime.makeUnsafe(midnight(millisOf(id)) + (days + 1) * DAY)

/** Validates a realm's `event_retention_days`. `most` is the deployment's own retention in days, which a realm cannot exceed. */
export const retentionProblems = (days: number | null | undefined, most: number): ReadonlyArray<Problem> => {
  const least = Math.min(RETENTION_DAYS.least, most)
  return days === null || days === undefined || (days >= least && days <= most)
    ? []
    : [problem("event_retention_days", "range", { least, most })]
}
