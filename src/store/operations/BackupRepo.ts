import { Context, type DateTime, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { RealmId } from "#domain/Ids"
import { SlowSql } from "#platform/Transaction"
import { utcOrNull } from "../statements/Rows.ts"

/** Runs a statement without a timeout. */
const withoutTimeout = <A>(sql: SqlClient, statement: Effect.Effect<A, SqlError>): Effect.Effect<A> =>
  sql.withTransaction(Effect.andThen(sql`set local statement_timeout = 0`, statement)).pipe(Effect.orDie)

/** Checks all realms of a database restored from a backup. Each of these queries reads a whole table. */
export class BackupRepo extends Context.Service<
  BackupRepo,
  {
    /** The realms that are not deleted. */
    readonly realms: Effect.Effect<ReadonlyArray<RealmId>>
    /** When the newest event was recorded, or undefined if there is none. */
    readonly newestEvent: Effect.Effect<DateTime.Utc | undefined>
    /** The number of events whose changed members don't match their rows in `event_changes`. */
    readonly eventsWithoutChanges: Effect.Effect<number>
  }
>()("sallyport/store/BackupRepo") {
  static readonly layer = Layer.effect(
    BackupRepo,
    Effect.map(SlowSql, (sql) =>
      BackupRepo.of({
        realms: sql<{ readonly id: RealmId }>`select id from realms where deleted_at is null order by id`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          Effect.orDie
        ),
        newestEvent: Effect.map(
          withoutTimeout(sql, sql<{ readonly at: Date | null }>`select max(event_at) as at from events`),
          ([row]) => utcOrNull(row?.at ?? null) ?? undefined
        ),
        eventsWithoutChanges: Effect.map(
          withoutTimeout(
            sql,
            sql<{ readonly count: number }>`
              select count(*)::int as count from events e
              left join (select realm_id, id, count(*) as members from event_changes group by 1, 2) c
                on c.realm_id = e.realm_id and c.id = e.id
              where cardinality(e.changed) <> coalesce(c.members, 0)`
          ),
          ([row]) => row?.count ?? 0
        )
      })
    )
  )
}
