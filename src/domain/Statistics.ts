import { DateTime } from "effect"
import type { HookType } from "./AppHook.ts"
import type { EventType } from "./Event.ts"
import type { HookId } from "./Ids.ts"
import type { LoginMethod } from "./LoginMethod.ts"

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

export const statisticsIntervals = ["day", "hour", "month"] as const

export type StatisticsInterval = (typeof statisticsIntervals)[number]

const HOUR_MILLIS = 3_600_000
const DAY_MILLIS = 24 * HOUR_MILLIS

/** The first millisecond of a time's month in UTC. */
const beginOfMonth = (at: number): number => DateTime.startOf(DateTime.makeUnsafe(at), "month").epochMilliseconds

/** For each interval, the functions from a time to the begin of its and the next interval, the default number, and the longest period. */
const intervals = {
  day: {
    begin: (at: number) => Math.floor(at / DAY_MILLIS) * DAY_MILLIS,
    next: (at: number) => at + DAY_MILLIS,
    byDefault: 7,
    longest: 31 * DAY_MILLIS
  },
  hour: {
    begin: (at: number) => Math.floor(at / HOUR_MILLIS) * HOUR_MILLIS,
    next: (at: number) => at + HOUR_MILLIS,
    byDefault: 24,
    longest: 48 * HOUR_MILLIS
  },
  month: {
    begin: beginOfMonth,
    next: (at: number) => beginOfMonth(at + 31 * DAY_MILLIS),
    byDefault: 12,
    longest: 366 * DAY_MILLIS
  }
} as const satisfies Record<StatisticsInterval, object>

export const MAX_DAYS = intervals.day.longest / DAY_MILLIS
export const MAX_HOURS = intervals.hour.longest / HOUR_MILLIS
export const MAX_MONTHS = intervals.month.byDefault

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
 * The spans of a request, in order. Each is a whole UTC day, hour or month, except the last, which ends at `to`. `to` defaults
 * to now, and `from` to seven days, 24 hours or twelve months, including the current one.
 */
export const spansOf = (
  { interval, from, to }: StatisticsRequest,
  now: number
): ReadonlyArray<Span> | "not_earlier" | "period_too_long" => {
  const { begin, next, byDefault, longest } = intervals[interval]
  const until = to?.epochMilliseconds ?? now
  const latest = begin(until - 1)
  const byDefaultFrom = Array.from({ length: byDefault - 1 }).reduce<number>((at) => begin(at - 1), latest)
  const earliest = from?.epochMilliseconds ?? Math.max(byDefaultFrom, 0)
  if (earliest >= until) return "not_earlier"
  if (until - earliest > longest) return "period_too_long"
  const spans: Array<Span> = []
  for (let at = begin(earliest); at < until; at = next(at)) spans.push({ from: at, until: Math.min(next(at), until) })
  return spans
}

/** How long after its end a day counts as closed. By then, all of its events are committed. */
const SETTLING_MILLIS = HOUR_MILLIS

/** The minimum number of events in a day for storing its counts. Smaller numbers are quick to count again. */
export const MIN_STORED_EVENTS = 1_000

/** The first day whose events are still retained, in days since 1970. */
export const oldestDay = (now: number, retentionDays: number): number => Math.floor(now / DAY_MILLIS) - retentionDays

/** The day covered by a span, in days since 1970. Undefined if the span is not a whole day or the day is not closed yet. */
export const closedDay = ({ from, until }: Span, now: number): number | undefined => {
  const isWhole = from % DAY_MILLIS === 0 && until - from === DAY_MILLIS
  return isWhole && until + SETTLING_MILLIS <= now ? from / DAY_MILLIS : undefined
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

/** The number of logins with the same methods. `methods` is empty for logins recorded by releases that didn't record methods. */
export interface LoginsByMethod {
  readonly methods: ReadonlyArray<LoginMethod>
  readonly logins: number
}

/** The number of users who logged in, and their logins by method, most first. */
export interface LoginCounts {
  readonly active_users: number
  readonly logins_by_method: ReadonlyArray<LoginsByMethod>
}

export const noLogins: LoginCounts = { active_users: 0, logins_by_method: [] }

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
export interface Counts extends DeliveryCounts, ImportCounts, LoginCounts, Record<CountedEvent, number> {
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
