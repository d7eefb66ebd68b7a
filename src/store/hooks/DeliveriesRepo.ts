import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Delivery, type DeliveryOfEvent, type DeliveryState, LEASE } from "#domain/Delivery"
import type { EventType } from "#domain/Event"
import { type EventId, earliestId, type HookId, type NotificationId, type RealmId } from "#domain/Ids"
import type { Limit } from "#domain/Limit"
import type { PageOf } from "#domain/Page"
import { date, utc } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"
import { realmOrNull, storedRealm } from "./AppHookRows.ts"
import type { HookKey } from "./AppHooksRepo.ts"
import {
  type DeliveryOfEventRow,
  deliveryOfEventFromRow,
  deliveryOfHook,
  type FailedFilter,
  failedPage,
  hookPage
} from "./DeliveryPages.ts"
import { deliveryFromRow as fromRow, newDeliveryRow as newRow, type DeliveryRow as Row } from "./DeliveryRows.ts"

/** The outcome of an attempt. `wasDeferred` is whether the attempt was postponed before it was made, so that it does not count. */
export interface AttemptOutcome {
  /** The delivery as it was when claimed. */
  readonly claimed: Delivery
  readonly state: DeliveryState
  readonly dueAt: DateTime.Utc
  readonly destination: string | null
  readonly result: string | null
  readonly wasDeferred: boolean
}

const outcomeRow = ({ claimed, state, dueAt, destination, result, wasDeferred }: AttemptOutcome) => ({
  realm_id: claimed.realmId,
  id: claimed.id,
  claim: claimed.attempts,
  attempts: wasDeferred ? claimed.attempts - 1 : claimed.attempts,
  state,
  due_at: date(dueAt),
  destination,
  result,
  was_none: wasDeferred
})

/** A hook with deliveries in progress, and when the first of these is due. */
export interface DueHook extends HookKey {
  readonly dueAt: DateTime.Utc
}

/**
 * The deliveries of a hook to resend: those created from `since` until before `until` that are in one of the states. With
 * `waiting`, deliveries waiting for a retry are included, unless an attempt may be running or about to start.
 */
export interface ReplayRange {
  readonly since: DateTime.Utc
  readonly until: DateTime.Utc
  readonly states: ReadonlyArray<DeliveryState>
  readonly waiting: boolean
  /** The event types to include, or undefined for all types. */
  readonly eventTypes: ReadonlyArray<EventType> | undefined
}

/**
 * How far the time in a delivery's id may differ from the time in its row, in milliseconds. Ids keep increasing even if a
 * clock is set back.
 */
const ID_SLACK = Duration.toMillis(Duration.days(1))

/** Stores the deliveries of events to hooks (ADR-0004). */
export class DeliveriesRepo extends Context.Service<
  DeliveriesRepo,
  {
    /** A write that inserts deliveries of events inserted in the same statement. */
    insertion(deliveries: ReadonlyArray<Delivery>): Write
    /** All hooks with deliveries in progress, whether due now or later. */
    readonly dueHooks: Effect.Effect<ReadonlyArray<DueHook>>
    /**
     * Claims some of a hook's due deliveries for an attempt by a node. If the attempt does not finish, they become due
     * again at `leaseEnd`, or earlier if the node dies (`NodesRepo`).
     */
    claim(
      nodeId: string,
      key: HookKey,
      now: DateTime.Utc,
      leaseEnd: DateTime.Utc,
      limit: number
    ): Effect.Effect<ReadonlyArray<Delivery>>
    /** Releases the deliveries that a node has claimed until `leaseEnd` but not attempted, as if they had never been claimed. */
    releaseClaims(nodeId: string, key: HookKey, leaseEnd: DateTime.Utc, now: DateTime.Utc): Effect.Effect<void>
    /** Stores the outcomes of attempts, except for deliveries that were claimed again or canceled in the meantime. */
    finish(finished: ReadonlyArray<AttemptOutcome>): Effect.Effect<void>
    /** Cancels a hook's deliveries in progress. */
    cancelOfHook(key: HookKey): Effect.Effect<void>
    /** Cancels the deliveries in progress of all of a realm's hooks. */
    cancelOfRealm(realmId: RealmId): Effect.Effect<void>
    /**
     * Returns the times of the realm's other emails to a recipient, latest first, going back only as far as the limits
     * require.
     */
    recentMailTimes(
      claimed: Delivery,
      recipient: string,
      limits: ReadonlyArray<Limit>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<DateTime.Utc>>
    /** Records that an email is being sent and who receives it. Only recorded emails count towards the limits. */
    recordMail(claimed: Delivery, recipient: string, now: DateTime.Utc): Effect.Effect<void>
    /** Returns the deliveries of events, ordered by id. */
    ofEvents(realmId: RealmId, eventIds: ReadonlyArray<EventId>): Effect.Effect<ReadonlyArray<Delivery>>
    findForUpdate(realmId: RealmId, eventId: EventId, id: NotificationId): Effect.Effect<Delivery | undefined>
    /** Makes a delivery due at the given time and resets its number of attempts. */
    restart(delivery: Delivery, dueAt: DateTime.Utc): Effect.Effect<void>
    cancel(delivery: Delivery): Effect.Effect<void>
    /** Makes a hook's deliveries in a range due now and resets their attempt counts. Returns how many deliveries changed. */
    replay(key: HookKey, range: ReplayRange, now: DateTime.Utc): Effect.Effect<number>
    /** Returns the number of deliveries that `replay` would make due. */
    countReplay(key: HookKey, range: ReplayRange, now: DateTime.Utc): Effect.Effect<number>
    /** Returns a hook's deliveries, optionally in only one state. Returns one more row than fits on the page, ordered by id. */
    ofHook(
      key: HookKey,
      state: DeliveryState | undefined,
      page: PageOf<"id">
    ): Effect.Effect<ReadonlyArray<DeliveryOfEvent>>
    findOfHook(key: HookKey, id: NotificationId): Effect.Effect<DeliveryOfEvent | undefined>
    /** Returns the failed deliveries of a realm's own hooks. Returns one more row than fits on the page, ordered by id. */
    failed(filter: FailedFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<DeliveryOfEvent>>
    /** Returns whether a hook has deliveries in progress. */
    hasOpen(key: HookKey): Effect.Effect<boolean>
  }
>()("sallyport/store/DeliveriesRepo") {
  static readonly layer = Layer.effect(
    DeliveriesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const many = Effect.map((rows: ReadonlyArray<Row>) => rows.map(fromRow))
      const withEvents = (rows: Effect.Effect<ReadonlyArray<DeliveryOfEventRow>, unknown>) =>
        Effect.orDie(Effect.map(rows, (found) => found.map(deliveryOfEventFromRow)))
      const ofHook = ({ realmId, id }: HookKey) => sql`hook_realm_id = ${storedRealm(realmId)} and hook_id = ${id}`
      // While a delivery is being attempted, its due time is the end of the lease. A later due time means no attempt is running.
      const isReplayed = ({ since, until, states, waiting, eventTypes }: ReplayRange, now: DateTime.Utc) =>
        sql`d.created_at >= ${date(since)} and d.created_at < ${date(until)}
          and d.id >= ${earliestId("notification", DateTime.toEpochMillis(since) - ID_SLACK)}
          and d.id < ${earliestId("notification", DateTime.toEpochMillis(until) + ID_SLACK)}
          and (d.state = any(${states}::text[]) or (${waiting}::boolean and d.state = 'in_progress' and d.attempts > 0
            and d.due_at > ${date(DateTime.addDuration(now, LEASE))}))
          and (${eventTypes ?? null}::text[] is null or exists (
            select 1 from events e where e.realm_id = d.realm_id and e.id = d.event_id
              and e.event_type = any(${eventTypes ?? null}::text[])))`

      return DeliveriesRepo.of({
        insertion: (deliveries) => ({
          realmLock: "key share",
          statement: (before) => sql`insert into deliveries
              (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts, created_at, due_at,
                addressed_to, language)
            select before.realm_id, d.* from ${before}, json_to_recordset(${JSON.stringify(deliveries.map(newRow))}::json)
              as d (id text, event_id text, hook_realm_id text, hook_id text, hook_type text, state text,
                attempts integer, created_at timestamptz, due_at timestamptz, addressed_to text, language text)`,
          conflictIn: noConflict
        }),
        // A loose index scan, which reads one entry per hook no matter how many deliveries it has.
        dueHooks: sql<{ readonly realm_id: RealmId; readonly id: HookId; readonly due_at: Date }>`
          with recursive h (realm_id, id, due_at) as (
            (select hook_realm_id, hook_id, due_at from deliveries where state = 'in_progress'
              order by hook_realm_id, hook_id, due_at limit 1)
            union all
            select d.* from h cross join lateral (
              select hook_realm_id, hook_id, due_at from deliveries
              where state = 'in_progress' and (hook_realm_id, hook_id) > (h.realm_id, h.id)
              order by hook_realm_id, hook_id, due_at limit 1) d
          ) select * from h`.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({ realmId: realmOrNull(row.realm_id), id: row.id, dueAt: utc(row.due_at) }))
          ),
          Effect.orDie
        ),
        claim: (nodeId, key, now, leaseEnd, limit) =>
          sql<Row>`with due as (
              select realm_id, id from deliveries where ${ofHook(key)} and state = 'in_progress' and due_at <= ${date(now)}
              order by due_at, id limit ${limit} for update skip locked
            ) update deliveries d set attempts = d.attempts + 1, due_at = ${date(leaseEnd)}, claimed_by = ${nodeId},
              last_attempt_at = case when d.hook_type = 'email' then d.last_attempt_at else ${date(now)} end
            from due where d.realm_id = due.realm_id and d.id = due.id returning d.*`.pipe(many, Effect.orDie),
        releaseClaims: (nodeId, key, leaseEnd, now) =>
          sql`update deliveries set attempts = attempts - 1, due_at = ${date(now)}, claimed_by = null,
              last_attempt_at = case when attempts = 1 and hook_type = 'webhook' then null else last_attempt_at end
            where ${ofHook(key)} and state = 'in_progress' and due_at = ${date(leaseEnd)}
              and claimed_by = ${nodeId}`.pipe(Effect.asVoid, Effect.orDie),
        // The limit tells the planner to expect few rows. Without it, the planner might scan all deliveries in progress.
        finish: (finished) =>
          sql`update deliveries d set state = f.state, attempts = f.attempts, due_at = f.due_at, claimed_by = null,
              last_destination = coalesce(f.destination, d.last_destination),
              last_result = coalesce(f.result, d.last_result),
              last_attempt_at = case when f.was_none and f.attempts = 0 and d.hook_type = 'webhook' then null
                else d.last_attempt_at end
            from (select * from json_to_recordset(${JSON.stringify(finished.map(outcomeRow))}::json) as r (realm_id text,
              id text, claim integer, attempts integer, state text, due_at timestamptz, destination text, result text,
              was_none boolean) limit ${finished.length}::int) f
            where d.realm_id = f.realm_id and d.id = f.id and d.attempts = f.claim
              and d.state <> all('{completed,failed,canceled}')`.pipe(Effect.asVoid, Effect.orDie),
        cancelOfHook: (key) =>
          sql`update deliveries set state = 'canceled' where ${ofHook(key)} and state = 'in_progress'`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        cancelOfRealm: (realmId) =>
          sql`update deliveries set state = 'canceled' where hook_realm_id = ${realmId} and state = 'in_progress'`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        recentMailTimes: ({ realmId, id }, recipient, limits, now) => {
          if (limits.length === 0) return Effect.succeed([])
          const longest = limits.map(({ within }) => within).reduce(Duration.max)
          const limit = Math.max(...limits.map(({ most }) => most))
          return sql<{ readonly at: Date }>`select last_attempt_at as at from deliveries where hook_type = 'email'
            and realm_id = ${realmId} and last_destination = ${recipient} and id <> ${id}
            and last_attempt_at > ${date(DateTime.subtractDuration(now, longest))}
            order by last_attempt_at desc limit ${limit}`.pipe(
            Effect.map((rows) => rows.map(({ at }) => utc(at))),
            Effect.orDie
          )
        },
        recordMail: ({ realmId, id }, recipient, now) =>
          sql`update deliveries set last_destination = ${recipient}, last_attempt_at = ${date(now)}
            where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        ofEvents: (realmId, eventIds) =>
          sql<Row>`select * from deliveries where realm_id = ${realmId} and event_id = any(${eventIds}::text[])
            order by id`.pipe(many, Effect.orDie),
        findForUpdate: (realmId, eventId, id) =>
          sql<Row>`select * from deliveries where realm_id = ${realmId} and id = ${id} and event_id = ${eventId}
            for update`.pipe(
            many,
            Effect.map(([first]) => first),
            Effect.orDie
          ),
        restart: ({ realmId, id }, dueAt) =>
          sql`update deliveries set state = 'in_progress', attempts = 0, due_at = ${date(dueAt)}, claimed_by = null
            where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        cancel: ({ realmId, id }) =>
          sql`update deliveries set state = 'canceled' where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        replay: (key, range, now) =>
          sql`update deliveries d set state = 'in_progress', attempts = 0, due_at = ${date(now)}, claimed_by = null
            where ${ofHook(key)} and ${isReplayed(range, now)} returning 1 as one`.pipe(
            Effect.map((rows) => rows.length),
            Effect.orDie
          ),
        countReplay: (key, range, now) =>
          sql<{ readonly count: number }>`select count(*)::int as count from deliveries d
            where ${ofHook(key)} and ${isReplayed(range, now)}`.pipe(
            Effect.map(([row]) => row?.count ?? 0),
            Effect.orDie
          ),
        ofHook: (key, state, page) => withEvents(sql<DeliveryOfEventRow>`${hookPage(sql, key, state, page)}`),
        findOfHook: (key, id) =>
          Effect.map(withEvents(sql<DeliveryOfEventRow>`${deliveryOfHook(sql, key, id)}`), ([first]) => first),
        failed: (filter, page) => withEvents(sql<DeliveryOfEventRow>`${failedPage(sql, filter, page)}`),
        hasOpen: (key) =>
          sql`select 1 as one from deliveries where ${ofHook(key)} and state = 'in_progress' limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
