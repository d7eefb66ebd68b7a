import type { DateTime } from "effect"
import type { HookType } from "./AppHook.ts"
import type { EventType } from "./Event.ts"
import type { HookId } from "./Ids.ts"

/** The events that are counted, each under its own name. */
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

/** Of each interval: its length in milliseconds, how many there are by default, and at most. */
const intervals = {
  day: { millis: 86_400_000, byDefault: 7, most: 31 },
  hour: { millis: 3_600_000, byDefault: 24, most: 48 }
} as const satisfies Record<StatisticsInterval, object>

export const MAX_DAYS = intervals.day.most
export const MAX_HOURS = intervals.hour.most

/** How far each number is counted. */
export const MAX_COUNTED = 50_000

/** What is asked for. Undefined: what is usual. */
export interface StatisticsRequest {
  readonly interval: StatisticsInterval
  readonly from: DateTime.Utc | undefined
  readonly to: DateTime.Utc | undefined
}

/** A span of time in Unix milliseconds; `until` is not part of it. */
export interface Span {
  readonly from: number
  readonly until: number
}

/**
 * The spans of a request, in order: whole days or hours of UTC, the last one up to `to`. Without `to` it is now; without `from`,
 * the last seven days or 24 hours, the current one included.
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

/** How long after its end a day is over: by then, whatever was recorded in it is committed. */
const SETTLING_MILLIS = intervals.hour.millis

/** How many events a day has at least if its counts are kept: fewer are counted in no time. */
export const MIN_RETAINED = 1_000

/** The first day of which events are retained, in days since 1970. */
export const oldestDay = (now: number, retentionDays: number): number =>
  Math.floor(now / intervals.day.millis) - retentionDays

/** The day that a span is, in days since 1970, if it is a whole one and over. */
export const closedDay = ({ from, until }: Span, now: number): number | undefined => {
  const { millis } = intervals.day
  const isWhole = from % millis === 0 && until - from === millis
  return isWhole && until + SETTLING_MILLIS <= now ? from / millis : undefined
}

/** How many deliveries of the realm's own hooks there are, by what became of them. */
export interface DeliveryCounts {
  readonly webhooks_delivered: number
  readonly webhooks_failed: number
  readonly mails_sent: number
  readonly mails_failed: number
}

/** What happened in a span. */
export interface Counts extends DeliveryCounts, Record<CountedEvent, number> {
  readonly from: DateTime.Utc
}

/** A hook of which deliveries have failed: for good, or so far. */
export interface FailingHook {
  readonly hookId: HookId
  readonly hookType: HookType
  readonly failed: number
  readonly retrying: number
  readonly lastDestination: string | null
  readonly lastResult: string | null
}

/** How many hooks are named. */
export const MAX_FAILING_HOOKS = 10

export interface Statistics {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
  readonly interval: StatisticsInterval
  /** Whether a number reached `MAX_COUNTED`, so that there may be more. */
  readonly truncated: boolean
  readonly intervals: ReadonlyArray<Counts>
  /** Most failures first. */
  readonly failingHooks: ReadonlyArray<FailingHook>
}
