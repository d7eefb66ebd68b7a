import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, it, test } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { Connections, layer } from "#sql/Database"

const open = Effect.map(
  Layer.build(Layer.fresh(layer({ _tag: "Memory" }))),
  (context) => Context.get(context, Connections).fast
)

const names = (sql: SqlClient) =>
  Effect.map(sql<{ name: string }>`select name from schema_migrations order by version`, (rows) =>
    rows.map(({ name }) => name)
  )

it.live("databases created from one image share no rows", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* open, yield* open]
    const before = yield* names(first)
    expect(before.length).toBeGreaterThan(0)
    yield* first`update schema_migrations set name = 'first'`
    yield* first`create table notes as select n, repeat('x', 500) as text from generate_series(1, 1000) as n`
    yield* first`checkpoint`
    yield* second`update schema_migrations set name = 'second'`
    yield* second`checkpoint`
    const third = yield* open
    expect(new Set(yield* names(first))).toEqual(new Set(["first"]))
    expect(new Set(yield* names(second))).toEqual(new Set(["second"]))
    expect(yield* names(third)).toEqual(before)
    expect(yield* first`select count(*)::int as count, sum(length(text))::int as length from notes`).toEqual([
      { count: 1000, length: 500_000 }
    ])
    expect(yield* Effect.flip(third`select from notes`)).toBeDefined()
  }).pipe(Effect.scoped)
)

// The compiler's memory for one function of PostgreSQL would be three times the limit.
test("a database needs no memory for V8's optimizing compiler", () => {
  const program = join(import.meta.dirname, "InMemoryStatements.ts")
  const peak = Number(execFileSync(process.execPath, [program], { encoding: "utf8" }))
  expect(peak).toBeGreaterThan(50)
  expect(peak).toBeLessThan(300)
})
