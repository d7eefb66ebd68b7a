import { expect, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { Connections, layer } from "#sql/Database"
import { freshDatabase } from "../../support/databases.ts"

const connections = Effect.flatMap(Connections, ({ fast: sql }) =>
  Effect.map(
    sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'sallyport'`,
    ([row]) => row?.count ?? 0
  )
)

// The test's clock doesn't advance, so no connection opens because of elapsed time.
it.effect("runs the startup statements on one connection, and opens the other connections afterwards", () =>
  Effect.gen(function* () {
    const target = yield* Effect.promise(freshDatabase)
    const serving = yield* Latch.make()
    yield* Effect.gen(function* () {
      expect(yield* connections).toBe(1)
      yield* serving.open
      let now = 1
      while (now < 4) now = yield* connections
    }).pipe(Effect.provide(layer(target, { connectAfter: serving.await })))
  })
)
