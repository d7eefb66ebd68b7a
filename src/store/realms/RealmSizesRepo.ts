import { Context, Effect, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import { SlowSql } from "#platform/Transaction"
import { probe } from "../statements/Probe.ts"

/** The planner's estimate of the number of rows in a table that grows with use. */
export interface TableSize {
  readonly table: "users" | "sessions" | "events" | "deliveries"
  readonly rows: number
}

/** Reads the sizes of realms and tables for metrics. Returns undefined if the database does not respond. */
export class RealmSizesRepo extends Context.Service<
  RealmSizesRepo,
  {
    /** Counts the users in each of these realms, up to `limit`. */
    users(
      realmIds: ReadonlyArray<RealmId>,
      limit: number
    ): Effect.Effect<ReadonlyArray<{ readonly id: RealmId; readonly users: number }> | undefined>
    /** The table sizes as of the last time the database analyzed each table. Tables that were never analyzed are not included. */
    readonly tables: Effect.Effect<ReadonlyArray<TableSize> | undefined>
  }
>()("sallyport/store/RealmSizesRepo") {
  static readonly layer = Layer.effect(
    RealmSizesRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const scope = yield* Effect.scope
      return RealmSizesRepo.of({
        users: (realmIds, limit) =>
          probe(
            scope,
            sql<{ readonly id: RealmId; readonly users: number }>`
              select r.id, (select count(*)::int from
                (select 1 from users u where u.realm_id = r.id limit ${limit}::int) counted) as users
              from unnest(${realmIds}::text[]) as r (id)`
          ),
        tables: probe(
          scope,
          sql<TableSize>`select relname as table, reltuples::float8 as rows from pg_class
            where oid in ('users'::regclass, 'sessions'::regclass, 'events'::regclass, 'deliveries'::regclass)
              and reltuples >= 0`
        )
      })
    })
  )
}
