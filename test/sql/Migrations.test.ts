import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections, layer } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate } from "#sql/Migrations"
import { freshConnections, freshDatabase } from "../support/databases.ts"

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

it.live("a release migrates its database when it starts", () =>
  Effect.gen(function* () {
    const known = yield* readMigrations()
    const applied = yield* Connections.use(
      ({ fast }) => fast`select version, name, checksum from schema_migrations order by 1`
    )
    expect(applied).toEqual(known.map(({ version, name, checksum }) => ({ version, name, checksum })))
    expect(applied.length).toBeGreaterThan(5)
  }).pipe(Effect.provide(freshConnections))
)

it.live("new files are applied in order, and a second time nothing happens", () =>
  Effect.gen(function* () {
    expect(yield* migrated(first)).toBe(1)
    expect(yield* migrated(first, second)).toBe(1)
    expect(yield* migrated(first, second)).toBe(0)
    expect(yield* rows).toEqual([{ n: 1 }, { n: 2 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("of two nodes that migrate at once each file is applied by one", () =>
  Effect.gen(function* () {
    const counts = yield* Effect.all([migrated(first, second), migrated(first, second)], { concurrency: 2 })
    expect(counts.reduce((a, b) => a + b)).toBe(2)
    expect(yield* rows).toEqual([{ n: 1 }, { n: 2 }])
  }).pipe(Effect.provide(freshConnections))
)

it.live("a file that fails leaves nothing behind and is named", () =>
  Effect.gen(function* () {
    const broken = migration("9001_broken.sql", "create table fixture (n int); insert into fixture values ('x')")
    expect(yield* Effect.flip(migrated(broken))).toMatchObject({
      _tag: "DatabaseRefused",
      message: 'Migration 9001_broken failed: invalid input syntax for type integer: "x".'
    })
    expect(yield* migrated(first)).toBe(1)
  }).pipe(Effect.provide(freshConnections))
)

it.live("a database that is newer than the release is refused, and the first file that is unknown is named", () =>
  Effect.gen(function* () {
    yield* migrated(first, second)
    const error = yield* Effect.flip(migrated())
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Newer" })
    expect(error.message).toContain("9001_first")
  }).pipe(Effect.provide(freshConnections))
)

it.live("a file that was changed after it had been applied is refused", () =>
  Effect.gen(function* () {
    yield* migrated(first)
    const error = yield* Effect.flip(migrated(migration("9001_first.sql", "create table fixture (n bigint)")))
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Changed" })
    expect(error.message).toContain("9001_first")
  }).pipe(Effect.provide(freshConnections))
)

it("line ends do not change a checksum", () => {
  expect(migration("0001_a.sql", "a\r\nb").checksum).toBe(migration("0001_a.sql", "a\nb").checksum)
})

it.live("the database opens without migrating when told so", () =>
  Effect.gen(function* () {
    expect(yield* Connections.use(({ slow }) => slow`select 1 as one`)).toEqual([{ one: 1 }])
  }).pipe(
    Effect.provide(
      Layer.unwrap(Effect.map(Effect.promise(freshDatabase), (target) => layer(target, { migrate: false })))
    )
  )
)
