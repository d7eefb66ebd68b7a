import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections, layer } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate, migrationState } from "#sql/Migrations"
import { freshConnections, freshDatabase } from "../support/databases.ts"

const first = migration(
  "9001_first.sql",
  "create table fixture (n int); -- a comment;\ninsert into fixture values (1);"
)
const second = migration("9002_second.sql", "insert into fixture values (2)")

const migrated = Effect.fn(function* (...more: ReadonlyArray<ReturnType<typeof migration>>) {
  const { fast, slow, pooler } = yield* Connections
  return yield* migrate({ reader: fast, writer: slow, pooler })([...(yield* readMigrations()), ...more])
})

const rows = Connections.use(({ fast }) => fast<{ n: number }>`select n from fixture order by n`)

it.live("migrates the database when a release starts", () =>
  Effect.gen(function* () {
    const known = yield* readMigrations()
    const applied = yield* Connections.use(
      ({ fast }) => fast`select version, name, checksum from schema_migrations order by 1`
    )
    expect(applied).toEqual(known.map(({ version, name, checksum }) => ({ version, name, checksum })))
    expect(applied.length).toBeGreaterThan(5)
  }).pipe(Effect.provide(freshConnections))
)

it.live("applies new files in order, and applies no file a second time", () =>
  Effect.gen(function* () {
    expect(yield* migrated(first)).toBe(1)
    expect(yield* migrated(first, second)).toBe(1)
    expect(yield* migrated(first, second)).toBe(0)
    expect(yield* rows).toEqual([{ n: 1 }, { n: 2 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("applies each file once if two nodes migrate at the same time", () =>
  Effect.gen(function* () {
    const counts = yield* Effect.all([migrated(first, second), migrated(first, second)], { concurrency: 2 })
    expect(counts.reduce((a, b) => a + b)).toBe(2)
    expect(yield* rows).toEqual([{ n: 1 }, { n: 2 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("rolls back and names a failed file", () =>
  Effect.gen(function* () {
    const broken = migration("9001_broken.sql", "create table fixture (n int); insert into fixture values ('x')")
    expect(yield* Effect.flip(migrated(broken))).toMatchObject({
      _tag: "DatabaseRefused",
      message: 'Migration 9001_broken failed: invalid input syntax for type integer: "x".'
    })
    expect(yield* migrated(first)).toBe(1)
  }).pipe(Effect.provide(freshConnections))
)

it.live("C229: runs on a database with unknown migrations if they only add to the schema", () =>
  Effect.gen(function* () {
    const { fast } = yield* Connections
    const known = yield* readMigrations()
    yield* migrated(first, second)
    expect(yield* migrated()).toBe(0)
    expect((yield* migrationState(fast, known)).newer).toMatchObject([{ name: "first" }, { name: "second" }])
    const last = String(known.at(-1)?.version).padStart(4, "0")
    const third = migration("9003_third.sql", `-- contract after ${last}: nobody uses it\ndrop table fixture`)
    yield* migrated(first, second, third)
    expect(yield* migrated()).toBe(0)
    yield* migrated(
      first,
      second,
      third,
      migration("9004_fourth.sql", "-- contract after 9002: nobody uses it\nselect 1")
    )
    const error = yield* Effect.flip(migrated())
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Newer" })
    expect(error.message).toContain("9004_fourth")
    expect(yield* migrated(first, second)).toBe(0)
  }).pipe(Effect.provide(freshConnections))
)

it.live("rejects a file that was changed after it was applied", () =>
  Effect.gen(function* () {
    yield* migrated(first)
    const error = yield* Effect.flip(migrated(migration("9001_first.sql", "create table fixture (n bigint)")))
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Changed" })
    expect(error.message).toContain("9001_first")
  }).pipe(Effect.provide(freshConnections))
)

const concurrent = migration(
  "9002_concurrent.sql",
  `-- without a transaction: the index of a large table
  drop index concurrently if exists fixture_by_n; create index concurrently fixture_by_n on fixture (n)`
)

const indexes = Connections.use(
  ({ fast }) => fast<{ valid: boolean }>`select indisvalid as valid from pg_index
    join pg_class on pg_class.oid = indexrelid where relname = 'fixture_by_n'`
)

it.live("runs a non-transactional file step by step, and restarts an interrupted file", () =>
  Effect.gen(function* () {
    yield* migrated(first)
    const short = migration(
      "9002_concurrent.sql",
      "-- without a transaction: cut short\ncreate index fixture_by_n on fixture (n); x"
    )
    expect((yield* Effect.flip(migrated(first, short))).message).toContain("9002_concurrent failed: syntax error")
    expect(yield* indexes).toEqual([{ valid: true }])
    const counts = yield* Effect.all([migrated(first, concurrent), migrated(first, concurrent)], { concurrency: 2 })
    expect(counts.reduce((a, b) => a + b)).toBe(1)
    expect(yield* indexes).toEqual([{ valid: true }])
    const { slow } = yield* Connections
    const locks = yield* slow`select 1 as held from pg_locks where locktype = 'advisory' and database = (select oid
      from pg_database where datname = current_database())`
    expect(locks).toEqual([])
  }).pipe(Effect.provide(freshConnections))
)

it("ignores line endings in a checksum", () => {
  expect(migration("0001_a.sql", "a\r\nb").checksum).toBe(migration("0001_a.sql", "a\nb").checksum)
})

it.live("opens the database without migrating if requested", () =>
  Effect.gen(function* () {
    expect(yield* Connections.use(({ slow }) => slow`select 1 as one`)).toEqual([{ one: 1 }])
  }).pipe(
    Effect.provide(
      Layer.unwrap(Effect.map(Effect.promise(freshDatabase), (target) => layer(target, { migrate: false })))
    )
  )
)
