import { expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { Connections } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate } from "#sql/Migrations"
import { freshConnections } from "../../support/databases.ts"

const table = migration("9001_table.sql", "create table fixture (n int)")
const column = migration("9002_column.sql", "alter table fixture add column m int")

/** Waits until another session waits for a lock on the table. */
const somebodyWaits = (sql: SqlClient) =>
  sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted and relation = 'fixture'::regclass`.pipe(
    Effect.filterOrFail(([row]) => row?.n === 1),
    Effect.retry(Schedule.spaced("20 millis"))
  )

it.live("C230: a migration that waits for a long-running reader doesn't block other statements for long", () =>
  Effect.gen(function* () {
    const { fast, slow } = yield* Connections
    const known = yield* readMigrations()
    yield* migrate({ reader: fast, writer: slow })([...known, table])
    const [reads, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const reader = yield* slow`select * from fixture`.pipe(
      Effect.andThen(Deferred.succeed(reads, undefined)),
      Effect.andThen(Deferred.await(mayEnd)),
      slow.withTransaction,
      Effect.forkScoped
    )
    yield* Deferred.await(reads)
    const migrating = yield* Effect.forkScoped(migrate({ reader: fast, writer: slow })([...known, table, column]))
    // Twice, so that the migration has retried while the reader is still running.
    for (let times = 0; times < 2; times += 1) {
      yield* somebodyWaits(fast)
      const [took] = yield* Effect.timed(fast`select n from fixture`)
      expect(Duration.toMillis(took)).toBeLessThan(4_000)
    }
    expect(migrating.pollUnsafe()).toBeUndefined()
    yield* Deferred.succeed(mayEnd, undefined)
    yield* Fiber.join(reader)
    expect(yield* Fiber.join(migrating)).toBe(1)
    expect(yield* fast`select n, m from fixture`).toEqual([])
  }).pipe(Effect.scoped, Effect.provide(freshConnections))
)
