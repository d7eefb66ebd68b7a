import type { DateTime } from "effect"
import type { HookType } from "./AppHook.ts"
import type { EventType } from "./Event.ts"
import type { HookId } from "./Ids.ts"

/** The counted event types, with the name of each count. */
export const countedEvents = {
  logins: "user.login.succeeded",
  failed_logins: "user.login.failed",
  blocked_users: "user.blocked",
  users_created: "user.created",
  orgs_created: "org.created",
  sessions_ended: "session.deleted"
} as const satisfies Record<string, EventType>

export type CountedEvent = keyof typeof countedEvents

export const statisticsIntervals = ["day", "hour"] as const

export type StatisticsInterval = (typeof statisticsIntervals)[number]

/** For each interval, its length in milliseconds and the default and maximum number of intervals. */
const intervals = {
  day: { millis: 86_400_000, byDefault: 7, most: 31 },
  hour: { millis: 3_600_000, byDefault: 24, most: 48 }
} as const satisfies Record<StatisticsInterval, object>

export const MAX_DAYS = intervals.day.most
export const MAX_HOURS = intervals.hour.most

/** The maximum count. Counting stops at this number. */
export const MAX_COUNTED = 50_000

/** A request for statistics. Undefined values use the defaults. */
export interface StatisticsRequest {
  readonly interval: StatisticsInterval
  readonly from: DateTime.Utc | undefined
  readonly to: DateTime.Utc | undefined
}

/** A time span in Unix milliseconds. `until` is exclusive. */
export interface Span {
  readonly from: number
  readonly until: number
}

/**
 * The spans of a request, in order. Each is a whole UTC day or hour, except the last, which ends at `to`. `to` defaults to
 * now, and `from` to seven days or 24 hours, including the current one.
 */
export const spansOf = (
  { interval, from, to }: StatisticsRequest,
  now: number
): ReadonlyArray<Span> | "not_earlier" | "period_too_long" => {
  const { millis, byDefault, most } = intervals[interval]
  const until = to?.epochMilliseconds ?? now
  const begin = (at: number) => Math.floor(at / millis) * millis
  const earliest = from?.epochMilliseconds ?? Math.max(begin(until - 1) - (byDefault - 1) * millis, 0)
  if (earliest >= until) return "not_earlier"
  if (until - earliest > most * millis) return "period_too_long"
  const first = begin(earliest)
  const length = Math.ceil((until - first) / millis)
  return Array.from({ length }, (_, n) => ({
    from: first + n * millis,
    until: Math.min(first + (n + 1) * millis, until)
  }))
}

/** How long after its end a day counts as closed. By then, all of its events are committed. */
const SETTLING_MILLIS = intervals.hour.millis

/** The minimum number of events in a day for storing its counts. Smaller numbers are quick to count again. */
export const MIN_STORED_EVENTS = 1_000

/** The first day whose events are still retained, in days since 1970. */
export const oldestDay = (now: number, retentionDays: number): number =>
  Math.floor(now / intervals.day.millis) - retentionDays

/** The day covered by a span, in days since 1970. Undefined if the span is not a whole day or the day is not closed yet. */
export const closedDay = ({ from, until }: Span, now: number): number | undefined => {
  const { millis } = intervals.day
  const isWhole = from % millis === 0 && until - from === millis
  return isWhole && until + SETTLING_MILLIS <= now ? from / millis : undefined
}

/** The number of deliveries of the realm's own hooks, by outcome. */
export interface DeliveryCounts {
  readonly webhooks_delivered: number
  readonly webhooks_failed: number
  readonly mails_sent: number
  readonly mails_failed: number
}

/** The number of users and orgs that imports created. Imports record one event each, instead of one for each user and org. */
export interface ImportCounts {
  readonly users_imported: number
  readonly orgs_imported: number
}

/** The current numbers of a realm. Active users are users whose last login was in the last 24 hours or 30 days. */
export interface Totals {
  readonly users: number
  readonly orgs: number
  readonly active_users_day: number
  readonly active_users_month: number
}

/** The maximum of a total. Counting stops at this number. */
export const MAX_TOTAL = 1_000_000

/** How far back the last login of an active user may be, in days. */
export const ACTIVE_DAYS = { day: 1, month: 30 } as const

/** The counts of one span. */
export interface Counts extends DeliveryCounts, ImportCounts, Record<CountedEvent, number> {
  readonly from: DateTime.Utc
}

/** A hook with failed deliveries, including failed ones that are being retried. */
export interface FailingHook {
  readonly hookId: HookId
  readonly hookType: HookType
  readonly failed: number
  readonly retrying: number
  readonly lastDestination: string | null
  readonly lastResult: string | null
}

/** The maximum number of failing hooks to list. */
export const MAX_FAILING_HOOKS = 100

export interface Statistics {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
  readonly interval: StatisticsInterval
  /** Whether a count reached `MAX_COUNTED`, so that the real number may be higher. */
  readonly truncated: boolean
  readonly totals: Totals
  readonly intervals: ReadonlyArray<Counts>
  /** The failing hooks, with the most failures first. */
  readonly failingHooks: ReadonlyArray<FailingHook>
}
