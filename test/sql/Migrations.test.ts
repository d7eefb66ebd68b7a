import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { Connections, layer } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate } from "#sql/Migrations"
import { freshDatabase, onFreshDatabase } from "../support/databases.ts"

const first = migration(
  "9001_first.sql",
  "create table fixture (n int); -- a comment;\ninsert into fixture values (1);"
)
const second = migration("9002_second.sql", "insert into fixture values (2)")

const migrated = Effect.fn(function* (...more: ReadonlyArray<ReturnType<typeof migration>>) {
  const { fast, slow } = yield* Connections
  return yield* migrate({ reader: fast, writer: slow })([...(yield* readMigrations()), ...more])
})

const rows = Connections.use(({ fast }) => fast<{ n: number }>`select n from fixture order by n`)

test("a release migrates its database when it starts", async () => {
  const applied = Connections.use(({ fast }) => fast`select version, name, checksum from schema_migrations order by 1`)
  const [known, there] = await onFreshDatabase(Effect.all([readMigrations(), applied]))
  expect(there).toEqual(known.map(({ version, name, checksum }) => ({ version, name, checksum })))
  expect(there.length).toBeGreaterThan(5)
})

test("new files are applied in order, and a second time nothing happens", async () => {
  const counts = await onFreshDatabase(
    Effect.gen(function* () {
      return [yield* migrated(first), yield* migrated(first, second), yield* migrated(first, second), yield* rows]
    })
  )
  expect(counts).toEqual([1, 1, 0, [{ n: 1 }, { n: 2 }]])
})

test("of two nodes that migrate at once each file is applied by one", async () => {
  const [counts, there] = await onFreshDatabase(
    Effect.gen(function* () {
      const both = yield* Effect.all([migrated(first, second), migrated(first, second)], { concurrency: 2 })
      return [both, yield* rows]
    })
  )
  expect([...counts].map(Number).reduce((a, b) => a + b)).toBe(2)
  expect(there).toEqual([{ n: 1 }, { n: 2 }])
})

test("a file that fails leaves nothing behind and is named", async () => {
  const broken = migration("9001_broken.sql", "create table fixture (n int); insert into fixture values ('x')")
  const [error, again] = await onFreshDatabase(
    Effect.gen(function* () {
      return [yield* Effect.flip(migrated(broken)), yield* migrated(first)]
    })
  )
  expect(error).toMatchObject({
    _tag: "DatabaseRefused",
    message: 'Migration 9001_broken failed: invalid input syntax for type integer: "x".'
  })
  expect(again).toBe(1)
})

test("a database that is newer than the release is refused", async () => {
  const error = await onFreshDatabase(
    Effect.gen(function* () {
      yield* migrated(first)
      return yield* Effect.flip(migrated())
    })
  )
  expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Newer" })
  expect(error.message).toContain("9001_first")
})

test("a file that was changed after it had been applied is refused", async () => {
  const error = await onFreshDatabase(
    Effect.gen(function* () {
      yield* migrated(first)
      return yield* Effect.flip(migrated(migration("9001_first.sql", "create table fixture (n bigint)")))
    })
  )
  expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Changed" })
  expect(error.message).toContain("9001_first")
})

test("line ends do not change a checksum", () => {
  expect(migration("0001_a.sql", "a\r\nb").checksum).toBe(migration("0001_a.sql", "a\nb").checksum)
})

test("the database opens without migrating when told so", async () => {
  const target = await freshDatabase()
  const one = Connections.use(({ slow }) => slow`select 1 as one`)
  expect(await Effect.runPromise(Effect.provide(one, layer(target, { migrate: false })))).toEqual([{ one: 1 }])
})
