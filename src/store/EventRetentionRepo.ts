import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { EventId } from "#domain/Ids"
import { SlowSql } from "#platform/Transaction"

/** The oldest event that may go, of the realms that keep theirs for so many days. */
export interface OldestKept {
  readonly days: number
  readonly id: EventId
}

/** How many of one realm's events go at once, so that realms take turns. */
const OF_ONE_REALM = 100

/** How far a look for the oldest event that may go reaches past those that are still being delivered. */
const LOOK = 1_000

/** The rows of events, and of what was delivered of them, as they are cleared away. */
export class EventRetentionRepo extends Context.Service<
  EventRetentionRepo,
  {
    /**
     * Deletes the oldest events from before one, of every realm: `limit` at most; how many. One that is still being
     * delivered, or that another transaction is at, stays.
     */
    deleteSome(before: EventId, limit: number): Effect.Effect<number>
    /** The same of the realms that keep theirs for so many days: of each some. */
    deleteSomeOf(days: number, before: EventId, limit: number): Effect.Effect<number>
    /** For how many days realms keep their events that have a say in it. */
    readonly ownDays: Effect.Effect<ReadonlyArray<number>>
    /** The oldest event of all that may go, or will. */
    readonly oldest: Effect.Effect<EventId | undefined>
    /** The same for each number of days that realms have set. */
    readonly oldestOfOwn: Effect.Effect<ReadonlyArray<OldestKept>>
  }
>()("sallyport/store/EventRetentionRepo") {
  static readonly layer = Layer.effect(
    EventRetentionRepo,
    Effect.map(SlowSql, (sql) => {
      const delivered = sql`not exists (select from deliveries d
        where d.realm_id = e.realm_id and d.event_id = e.id and d.state = 'in_progress')`

      // A delivery may be asked for again at this very moment: only what is held and done goes with its event.
      const deleteFound = (found: Fragment) =>
        sql`with found as materialized (${found}), old as materialized (
              select e.realm_id, e.id from events e join found f on f.realm_id = e.realm_id and f.id = e.id
              for update of e skip locked
            ), held as materialized (
              select d.realm_id, d.id, d.state from deliveries d join old o on o.realm_id = d.realm_id and o.id = d.event_id
              for update of d skip locked
            )
            delete from events e using old o where e.realm_id = o.realm_id and e.id = o.id and not exists (
              select from deliveries d left join held h on h.realm_id = d.realm_id and h.id = d.id
              where d.realm_id = o.realm_id and d.event_id = o.id and (h.id is null or h.state = 'in_progress'))
            returning 1 as gone`.pipe(
          Effect.map((rows) => rows.length),
          Effect.orDie
        )

      return EventRetentionRepo.of({
        deleteSome: (before, limit) =>
          deleteFound(sql`select e.realm_id, e.id from events e where e.id < ${before} and ${delivered}
            order by e.id limit ${limit}`),
        deleteSomeOf: (days, before, limit) =>
          deleteFound(sql`select e.realm_id, e.id from realms r cross join lateral (
              select e.realm_id, e.id from events e where e.realm_id = r.id and e.id < ${before} and ${delivered}
              order by e.id limit ${OF_ONE_REALM}) e
            where r.event_retention_days = ${days} order by e.id limit ${limit}`),
        ownDays: sql<{ readonly days: number }>`select distinct event_retention_days as days from realms
          where event_retention_days is not null order by 1`.pipe(
          Effect.map((rows) => rows.map(({ days }) => days)),
          Effect.orDie
        ),
        oldest: sql<{ readonly id: EventId }>`select e.id from (
            select realm_id, id from events order by id limit ${LOOK}) e where ${delivered} order by e.id limit 1`.pipe(
          Effect.map(([row]) => row?.id),
          Effect.orDie
        ),
        oldestOfOwn: sql<OldestKept>`select r.event_retention_days as days, min(e.id) as id from realms r
          cross join lateral (select e.id from events e where e.realm_id = r.id and ${delivered} order by e.id limit 1) e
          where r.event_retention_days is not null group by 1`.pipe(Effect.orDie)
      })
    })
  )
}
