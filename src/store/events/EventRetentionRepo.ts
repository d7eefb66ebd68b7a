import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { EventId, RealmId } from "#domain/Ids"
import { SlowSql } from "#platform/Transaction"

/** The oldest deletable event among the realms with this retention. */
export interface OldestEvent {
  readonly days: number
  readonly id: EventId
}

/** A range of events by age: older than `before` and, if given, younger than `after`. */
export interface EventRange {
  readonly after: EventId | undefined
  readonly before: EventId
}

/** The result of one batch. */
export interface SweptEvents {
  /** The number of deleted events. */
  readonly deleted: number
  /** The event after which the next batch may start, or undefined if nothing was deleted. */
  readonly upTo: EventId | undefined
}

/** The maximum number of one realm's events to delete in a batch, so that no realm delays the others. */
const LIMIT_PER_REALM = 100

/**
 * The maximum number of events to read when searching for the oldest deletable event. Events with deliveries in progress
 * are not deletable.
 */
const SEARCH_LIMIT = 1_000

interface DeletedEvent {
  readonly realm_id: RealmId
  readonly id: EventId
}

/**
 * A realm that reached its limit may have old events left below the highest deleted id. The next batch therefore starts at
 * the last event deleted in that realm.
 */
const sweptEvents = (rows: ReadonlyArray<DeletedEvent>): SweptEvents => {
  const highest = (of: ReadonlyArray<DeletedEvent>) => of.map(({ id }) => id).reduce((one, id) => (one < id ? id : one))
  const cut = [...Map.groupBy(rows, (row) => row.realm_id).values()].filter((of) => of.length === LIMIT_PER_REALM)
  const ends = rows.length === 0 ? [] : [rows, ...cut].map(highest)
  return { deleted: rows.length, upTo: ends.toSorted()[0] }
}

/** Deletes old events together with their deliveries. */
export class EventRetentionRepo extends Context.Service<
  EventRetentionRepo,
  {
    /**
     * Deletes up to `limit` of the oldest events in a range, in all realms. Skips events with deliveries in progress and
     * events locked by another transaction.
     */
    deleteSome(range: EventRange, limit: number): Effect.Effect<SweptEvents>
    /** Like `deleteSome`, but for the realms with this retention and with a limit per realm. */
    deleteSomeOf(days: number, range: EventRange, limit: number): Effect.Effect<SweptEvents>
    /** All retentions, in days, that realms have set. */
    readonly realmRetentions: Effect.Effect<ReadonlyArray<number>>
    /** The oldest deletable event in all realms, even if it is not old enough yet. */
    readonly oldest: Effect.Effect<EventId | undefined>
    /** For each retention that realms have set, the oldest deletable event. */
    readonly oldestByRetention: Effect.Effect<ReadonlyArray<OldestEvent>>
  }
>()("sallyport/store/EventRetentionRepo") {
  static readonly layer = Layer.effect(
    EventRetentionRepo,
    Effect.map(SlowSql, (sql) => {
      const isDelivered = sql`not exists (select from deliveries d
        where d.realm_id = e.realm_id and d.event_id = e.id and d.state = 'in_progress')`

      // A concurrent request may restart a delivery, so an event is deleted only if all its deliveries are locked and
      // finished.
      const deleteEvents = (found: Fragment) =>
        sql<DeletedEvent>`with found as materialized (${found}), old as materialized (
              select e.realm_id, e.id from events e join found f on f.realm_id = e.realm_id and f.id = e.id
              for update of e skip locked
            ), held as materialized (
              select d.realm_id, d.id, d.state from deliveries d join old o on o.realm_id = d.realm_id and o.id = d.event_id
              for update of d skip locked
            )
            delete from events e using old o where e.realm_id = o.realm_id and e.id = o.id and not exists (
              select from deliveries d left join held h on h.realm_id = d.realm_id and h.id = d.id
              where d.realm_id = o.realm_id and d.event_id = o.id and (h.id is null or h.state = 'in_progress'))
            returning e.realm_id, e.id`.pipe(Effect.map(sweptEvents), Effect.orDie)

      const isIn = ({ after, before }: EventRange) => sql`e.id > ${after ?? ""} and e.id < ${before}`

      return EventRetentionRepo.of({
        deleteSome: (range, limit) =>
          deleteEvents(sql`select e.realm_id, e.id from events e where ${isIn(range)} and ${isDelivered}
            order by e.id limit ${limit}`),
        deleteSomeOf: (days, range, limit) =>
          deleteEvents(sql`select e.realm_id, e.id from realms r cross join lateral (
              select e.realm_id, e.id from events e where e.realm_id = r.id and ${isIn(range)} and ${isDelivered}
              order by e.id limit ${LIMIT_PER_REALM}) e
            where r.event_retention_days = ${days} order by e.id limit ${limit}`),
        realmRetentions: sql<{ readonly days: number }>`select distinct event_retention_days as days from realms
          where event_retention_days is not null order by 1`.pipe(
          Effect.map((rows) => rows.map(({ days }) => days)),
          Effect.orDie
        ),
        oldest: sql<{ readonly id: EventId }>`select e.id from (
            select realm_id, id from events order by id limit ${SEARCH_LIMIT}) e where ${isDelivered} order by e.id limit 1`.pipe(
          Effect.map(([row]) => row?.id),
          Effect.orDie
        ),
        oldestByRetention: sql<OldestEvent>`select r.event_retention_days as days, min(e.id) as id from realms r
          cross join lateral (select e.id from events e where e.realm_id = r.id and ${isDelivered} order by e.id limit 1) e
          where r.event_retention_days is not null group by 1`.pipe(Effect.orDie)
      })
    })
  )
}
