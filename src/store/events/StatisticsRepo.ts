import { Context, type DateTime, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { HookType } from "#domain/AppHook"
import type { EventType } from "#domain/Event"
import { earliestId, type HookId, type Kind, type RealmId } from "#domain/Ids"
import {
  countedEvents,
  type DeliveryCounts,
  type FailingHook,
  type ImportCounts,
  type LoginCounts,
  type LoginsByMethod,
  MAX_COUNTED,
  MAX_FAILING_HOOKS,
  MAX_TOTAL,
  type Span,
  type Totals
} from "#domain/Statistics"
import { userStates, userTypes } from "#domain/User"
import { SlowSql } from "#platform/Transaction"
import { isRetained } from "../statements/Retained.ts"
import { date } from "../statements/Rows.ts"

/** The number of times an event was recorded. `logins` is only set for the event of logins. */
interface Recorded {
  readonly eventType: EventType
  readonly count: number
  readonly logins: LoginCounts | null
}

/** The number of times an event was recorded in a time span. `span` is the span's index in the request. */
export interface EventCount extends Recorded {
  readonly span: number
}

/** The number of times an event was recorded on a past day. `day` is in days since 1970. */
export interface DayCount extends Recorded {
  readonly day: number
}

/** A row of logins: those of one span with the same methods, or all logins of the span. */
interface LoginRow {
  readonly span: number
  readonly is_total: boolean
  readonly methods: LoginsByMethod["methods"] | null
  readonly count: number
  readonly users: number
}

const LOGIN = countedEvents.logins

/** Combines the rows of each span. */
const loginCounts = (rows: ReadonlyArray<LoginRow>): ReadonlyArray<EventCount> =>
  rows
    .filter(({ is_total }) => is_total)
    .map(({ span, count, users }) => ({
      eventType: LOGIN,
      span,
      count,
      logins: {
        active_users: users,
        logins_by_method: rows
          .filter((row) => row.span === span && !row.is_total)
          .map((row) => ({ methods: row.methods ?? [], logins: row.count }))
          .toSorted((one, other) => other.logins - one.logins)
      }
    }))

/** The outcomes of the deliveries created in a time span. `looked` is the number of deliveries examined. */
export interface SpanDeliveries extends DeliveryCounts {
  readonly span: number
  readonly examined: number
}

/** The users and orgs created by imports that ended in a time span. */
export interface SpanImports extends ImportCounts {
  readonly span: number
}

/** When a user must have logged in to count as active, and the first ids that a reset in progress retains, if any. */
export interface TotalsRequest {
  readonly day: DateTime.Utc
  readonly month: DateTime.Utc
  readonly firstUser: string | undefined
  readonly firstOrg: string | undefined
}

/** Counts events and deliveries in a realm. Ids contain their creation time, so a time span is a range of ids. */
export class StatisticsRepo extends Context.Service<
  StatisticsRepo,
  {
    /** Counts events by type and span. Reads at most `MAX_COUNTED` index entries for each count. */
    events(
      realmId: RealmId,
      types: ReadonlyArray<EventType>,
      spans: ReadonlyArray<Span>
    ): Effect.Effect<ReadonlyArray<EventCount>>
    /**
     * Counts logins, the users who logged in, and the logins by their methods. Reads at most `MAX_COUNTED` logins of each span.
     */
    logins(realmId: RealmId, spans: ReadonlyArray<Span>): Effect.Effect<ReadonlyArray<EventCount>>
    /** Returns the stored counts for these days. */
    storedCounts(realmId: RealmId, days: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<DayCount>>
    /**
     * Stores daily counts, so that they don't have to be counted again, and deletes the counts of days before `oldest`.
     * Errors are ignored, since the next request will count again.
     */
    storeCounts(realmId: RealmId, counts: ReadonlyArray<DayCount>, oldest: number): Effect.Effect<void>
    /** Counts the deliveries to the realm's own hooks, among the first `MAX_COUNTED` of each span. */
    deliveries(realmId: RealmId, spans: ReadonlyArray<Span>): Effect.Effect<ReadonlyArray<SpanDeliveries>>
    /** Adds up the results of the imports of each span. */
    imports(realmId: RealmId, spans: ReadonlyArray<Span>): Effect.Effect<ReadonlyArray<SpanImports>>
    /** Counts users and orgs, each up to `MAX_TOTAL`, by index entries only. */
    totals(realmId: RealmId, request: TotalsRequest): Effect.Effect<Totals>
    /**
     * Returns the realm's own hooks with failures among a span's last `MAX_COUNTED` deliveries, those with the most
     * failures first.
     */
    failingHooks(realmId: RealmId, span: Span): Effect.Effect<ReadonlyArray<FailingHook>>
  }
>()("sallyport/store/StatisticsRepo") {
  static readonly layer = Layer.effect(
    StatisticsRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const ranges = (kind: Kind, spans: ReadonlyArray<Span>) =>
        sql`unnest(${spans.map(({ from }) => earliestId(kind, from))}::text[],
          ${spans.map(({ until }) => earliestId(kind, until))}::text[]) with ordinality as s (first, until, place)`
      return StatisticsRepo.of({
        events: (realmId, types, spans) =>
          sql<{ readonly event_type: EventType; readonly span: number; readonly count: number }>`
            select t.event_type, s.place::int - 1 as span, c.count
            from unnest(${types}::text[]) as t (event_type) cross join ${ranges("event", spans)}
            cross join lateral (select count(*)::int as count from (
              select 1 from events where realm_id = ${realmId} and event_type = t.event_type
                and id >= s.first and id < s.until order by id limit ${MAX_COUNTED}) e) c`.pipe(
            Effect.map((rows) =>
              rows.map(({ event_type, span, count }) => ({ eventType: event_type, span, count, logins: null }))
            ),
            Effect.orDie
          ),
        logins: (realmId, spans) =>
          sql<LoginRow>`
            select s.place::int - 1 as span, c.* from ${ranges("event", spans)}
            cross join lateral (
              select grouping(methods) = 1 as is_total, methods, count(*)::int as count, count(distinct user_id)::int as users
              from (select user_id, coalesce(details -> 'methods', '[]') as methods from events
                where realm_id = ${realmId} and event_type = ${LOGIN} and id >= s.first and id < s.until
                order by id limit ${MAX_COUNTED}) e
              group by grouping sets ((methods), ())) c`.pipe(Effect.map(loginCounts), Effect.orDie),
        storedCounts: (realmId, days) =>
          sql<
            Omit<DayCount, "logins"> & {
              readonly users: number | null
              readonly methods: LoginCounts["logins_by_method"]
            }
          >`
            select day, event_type as "eventType", count, users, methods from event_counts
            where realm_id = ${realmId} and day = any(${days}::int[])`.pipe(
            Effect.map((rows) =>
              rows.map(({ users, methods, ...row }) => ({
                ...row,
                logins: users === null ? null : { active_users: users, logins_by_method: methods }
              }))
            ),
            Effect.orDie
          ),
        storeCounts: (realmId, counts, oldest) =>
          sql`with gone as (delete from event_counts where realm_id = ${realmId} and day < ${oldest})
            insert into event_counts (realm_id, day, event_type, count, users, methods)
            select ${realmId}, c.day, c.event_type, c.count, c.users, c.methods::jsonb
            from unnest(${counts.map(({ day }) => day)}::int[], ${counts.map(({ eventType }) => eventType)}::text[],
              ${counts.map(({ count }) => count)}::int[], ${counts.map(({ logins }) => logins?.active_users ?? null)}::int[],
              ${counts.map(({ logins }) => (logins === null ? null : JSON.stringify(logins.logins_by_method)))}::text[]
            ) c (day, event_type, count, users, methods)
            on conflict (realm_id, day, event_type) do update set count = excluded.count, users = excluded.users,
              methods = excluded.methods`.pipe(Effect.ignore),
        deliveries: (realmId, spans) =>
          sql<SpanDeliveries>`
            select s.place::int - 1 as span, c.* from ${ranges("notification", spans)}
            cross join lateral (
              select count(*)::int as looked,
                count(case when own and hook_type = 'webhook' and state = 'completed' then 1 end)::int as webhooks_delivered,
                count(case when own and hook_type = 'webhook' and state = 'failed' then 1 end)::int as webhooks_failed,
                count(case when own and hook_type = 'email' and state = 'completed' then 1 end)::int as mails_sent,
                count(case when own and hook_type = 'email' and state = 'failed' then 1 end)::int as mails_failed
              from (select hook_type, state, hook_realm_id = realm_id as own from deliveries
                where realm_id = ${realmId} and id >= s.first and id < s.until order by id limit ${MAX_COUNTED}) d) c`.pipe(
            Effect.orDie
          ),
        imports: (realmId, spans) =>
          sql<SpanImports>`
            select s.place::int - 1 as span, c.* from ${ranges("event", spans)}
            cross join lateral (
              select coalesce(sum((details #>> '{import,created}')::int), 0)::int as users_imported,
                coalesce(sum((details #>> '{import,orgs_created}')::int), 0)::int as orgs_imported
              from (select details from events where realm_id = ${realmId} and event_type = 'realm.imported'
                and id >= s.first and id < s.until order by id limit ${MAX_COUNTED}) e) c`.pipe(Effect.orDie),
        totals: (realmId, { day, month, firstUser, firstOrg }) => {
          const retained = (column: string, from: string | undefined) =>
            from === undefined ? sql`` : sql` and ${isRetained(sql, column, from)}`
          const users = (condition: Fragment) => sql`(select count(*)::int from (
              select 1 from last_logins where realm_id = ${realmId} and user_type = any(${userTypes}::text[])
                and state = any(${userStates}::text[])${condition}${retained("user_id", firstUser)} limit ${MAX_TOTAL}) u)`
          return sql<Totals>`
            select ${users(sql``)} as users, ${users(sql` and last_login_at > ${date(day)}`)} as active_users_day,
              ${users(sql` and last_login_at > ${date(month)}`)} as active_users_month,
              (select count(*)::int from (select 1 from orgs where realm_id = ${realmId} and deleted_at is null${retained("id", firstOrg)}
                limit ${MAX_TOTAL}) o) as orgs`.pipe(
            Effect.map(([row]) => row ?? { users: 0, orgs: 0, active_users_day: 0, active_users_month: 0 }),
            Effect.orDie
          )
        },
        failingHooks: (realmId, { from, until }) =>
          sql<{
            readonly hook_id: HookId
            readonly hook_type: HookType
            readonly failed: number
            readonly retrying: number
            readonly last_destination: string | null
            readonly last_result: string | null
          }>`
            select hook_id, hook_type, count(case when state = 'failed' then 1 end)::int as failed,
              count(case when state = 'in_progress' then 1 end)::int as retrying,
              (array_agg(last_destination order by last_attempt_at desc, id desc))[1] as last_destination,
              (array_agg(last_result order by last_attempt_at desc, id desc))[1] as last_result
            from (select * from deliveries where realm_id = ${realmId} and id >= ${earliestId("notification", from)}
              and id < ${earliestId("notification", until)} order by id desc limit ${MAX_COUNTED}) d
            where hook_realm_id = realm_id
              and (state = 'failed' or state = 'in_progress' and attempts > 0 and last_result is not null)
            group by hook_id, hook_type order by count(*) desc, hook_id limit ${MAX_FAILING_HOOKS}`.pipe(
            Effect.map((rows) =>
              rows.map((row) => ({
                hookId: row.hook_id,
                hookType: row.hook_type,
                failed: row.failed,
                retrying: row.retrying,
                lastDestination: row.last_destination,
                lastResult: row.last_result
              }))
            ),
            Effect.orDie
          )
      })
    })
  )
}
