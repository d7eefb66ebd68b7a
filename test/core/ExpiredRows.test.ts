import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Connections } from "#sql/Database"
import { ExpiredRowsRepo, expiringTables } from "#store/operations/ExpiredRowsRepo"
import { freshConnections } from "../support/databases.ts"
import { recordedStatements } from "../support/statements.ts"

const Database = Layer.effect(
  SqlClient,
  Effect.map(Connections, ({ slow }) => slow)
).pipe(Layer.provide(freshConnections))

const Repository = Layer.merge(ExpiredRowsRepo.layer.pipe(Layer.provideMerge(Database)), recordedStatements)

const now = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const minutesFromNow = (minutes: number) => DateTime.add(now, { minutes })

it.live("deletes expired rows in batches, oldest first, and leaves the other rows", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { deleteSome, nextDue } = yield* ExpiredRowsRepo
    for (const minutes of [-1, -3, 5]) {
      const at = DateTime.toDateUtc(minutesFromNow(minutes))
      yield* sql`insert into quotas (limit_name, subject, window_at, used, expires_at)
        values ('calls', ${String(minutes)}, ${at}, 1, ${at})`
    }
    expect(yield* nextDue).toEqual(new Map([["quotas", minutesFromNow(-3)]]))
    expect(yield* deleteSome("quotas", now, 1)).toBe(1)
    expect(yield* nextDue).toEqual(new Map([["quotas", minutesFromNow(-1)]]))
    expect(yield* deleteSome("quotas", now, 10)).toBe(1)
    expect(yield* deleteSome("quotas", now, 10)).toBe(0)
    expect(yield* nextDue).toEqual(new Map([["quotas", minutesFromNow(5)]]))
  }).pipe(Effect.provide(Repository))
)

it.live("handles every table with expiring rows, including empty ones", () =>
  Effect.gen(function* () {
    const { deleteSome, nextDue } = yield* ExpiredRowsRepo
    expect(yield* nextDue).toEqual(new Map())
    const gone = yield* Effect.forEach(expiringTables, (table) => deleteSome(table, now, 10))
    expect(gone).toEqual(expiringTables.map(() => 0))
  }).pipe(Effect.provide(Repository))
)
