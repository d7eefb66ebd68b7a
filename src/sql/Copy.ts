import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { Connections, layer as database } from "./Database.ts"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import type { Migration } from "./MigrationFiles.ts"
import { label, migrate, migrationState } from "./Migrations.ts"
import type { Pooler } from "./Pooler.ts"
import { checksumOf, prepareForWholeTables, type Table, type TableChecksum, tablesOf } from "./Tables.ts"

/** The number of rows to read and write at a time. */
const BATCH = 500

/** A database can't be copied. Nothing was changed. `message` is the reason, and `todo` is how to fix it. */
export class CopyRefused extends Data.TaggedError("CopyRefused")<{
  readonly message: string
  readonly todo: string
}> {}

/** The progress of a copy: `copied` of `rows` in the current `table`, and `done` of `all` rows in the database. */
export interface CopyProgress {
  readonly table: string
  readonly copied: number
  readonly rows: number
  readonly done: number
  readonly all: number
}

/** A table that was copied or would be copied. */
export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

/** The clients of the target database. `fast` is used for statements outside the transaction of `slow`. */
interface Target {
  readonly fast: SqlClient
  readonly slow: SqlClient
  readonly pooler: Pooler
}

const counts = (checksums: ReadonlyMap<Table, TableChecksum>): ReadonlyArray<CopiedTable> =>
  [...checksums].map(([{ name }, { rows }]) => ({ table: name, rows }))

/** Returns the number of rows and the checksum of each table. */
const checksumsOf = Effect.fnUntraced(function* (sql: SqlClient, tables: ReadonlyArray<Table>) {
  const checksums = new Map<Table, TableChecksum>()
  for (const table of tables) checksums.set(table, yield* checksumOf(sql, table))
  return checksums
})

/** The content of the tables in a new database of this release. */
const contentOfNew = Effect.gen(function* () {
  const { fast } = yield* Connections
  const found = yield* checksumsOf(fast, yield* tablesOf(fast))
  return new Map([...found].map(([{ name }, { checksum }]) => [name, checksum]))
}).pipe(Effect.provide(database({ _tag: "Memory" })))

/** Rejects a database with content that a new one doesn't have. A database without tables counts as new. */
const checkIsNew = Effect.fnUntraced(function* (sql: SqlClient, content: ReadonlyMap<string, string>) {
  const tables = yield* tablesOf(sql)
  const refuse = (what: string) =>
    new CopyRefused({
      message: `The database in DATABASE_URL is not empty: it has ${what}.`,
      todo: "Use an empty database, which CREATE DATABASE creates."
    })
  const foreign = tables.find(({ name }) => !content.has(name))
  if (foreign !== undefined) return yield* refuse(`a table ${foreign.name}`)
  // Checks one table after another, starting with the realms. A database without realms has few rows in its other tables.
  for (const table of tables) {
    const { checksum } = yield* checksumOf(sql, table)
    if (content.get(table.name) !== checksum) return yield* refuse(`rows in the table ${table.name}`)
  }
})

/** Rejects a source database of another release and a target database that is not new. */
const check = Effect.fnUntraced(function* (from: SqlClient, to: Target, migrations: ReadonlyArray<Migration>) {
  const { pending } = yield* migrationState(from, migrations)
  const [first] = pending
  if (first !== undefined) {
    return yield* new CopyRefused({
      message: `The embedded database is older than this release: it lacks ${pending.length} of the migrations, starting with ${label(first)}.`,
      todo: "Run sallyport migrate on it first, without DATABASE_URL."
    })
  }
  const content = yield* contentOfNew
  yield* checkIsNew(to.fast, content)
  return content
})

/** Copies a table's rows as JSON, which represents values of all types without loss. `onBatch` is called after each batch. */
const copyTable = Effect.fnUntraced(function* (
  from: SqlClient,
  to: SqlClient,
  { name, columns }: Table,
  onBatch: (count: number) => Effect.Effect<void>
) {
  const list = from.csv(columns.map((column) => from`${from(column)}`))
  yield* from`declare moved cursor for select row_to_json(t)::text as json from (select ${list} from ${from(name)}) t`
    .unprepared
  const into = to.csv(columns.map((column) => to`${to(column)}`))
  for (;;) {
    const rows = yield* from<{ readonly json: string }>`fetch ${from.literal(String(BATCH))} from moved`.unprepared
    if (rows.length === 0) break
    const batch = `[${rows.map(({ json }) => json).join(",")}]`
    yield* to`insert into ${to(name)} (${into})
      select ${into} from json_populate_recordset(null::${to(name)}, ${batch}::json)`
    yield* onBatch(rows.length)
  }
  yield* from`close moved`.unprepared
})

/** Copies and compares all tables, with one transaction in each database. */
const copyTables = Effect.fnUntraced(function* (
  from: SqlClient,
  to: SqlClient,
  content: ReadonlyMap<string, string>,
  progress: (at: CopyProgress) => Effect.Effect<void>
) {
  yield* prepareForWholeTables(from)
  yield* prepareForWholeTables(to)
  const tables = yield* tablesOf(from)
  // A service started on the target meanwhile has to wait, and never sees half of the data.
  yield* to`lock table ${to.csv(tables.map(({ name }) => to`${to(name)}`))} in access exclusive mode`
  yield* checkIsNew(to, content)
  // The source already contains the rows that migrations inserted.
  for (const table of tables.toReversed()) yield* to`delete from ${to(table.name)}`
  const before = yield* checksumsOf(from, tables)
  const all = [...before.values()].reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const [table, { rows }] of before) {
    let copied = 0
    yield* copyTable(from, to, table, (count) => {
      copied += count
      done += count
      return progress({ table: table.name, copied, rows, done, all })
    })
  }
  const after = yield* checksumsOf(to, tables)
  const mismatched = tables.filter((table) => before.get(table)?.checksum !== after.get(table)?.checksum)
  if (mismatched.length === 0) return counts(after)
  return yield* new CopyRefused({
    message: `The copy differs from the embedded database in ${mismatched.map(({ name }) => name).join(", ")}.`,
    todo: "PostgreSQL was left unchanged. Report this."
  })
})

/**
 * Copies all tables into an empty database on another server. It migrates the target, copies the rows, and compares each
 * table's number of rows and checksum. The copy is one transaction, so a failed copy leaves no rows and can be repeated.
 */
export const copyDatabase = Effect.fn("Copy.copyDatabase")(
  function* (
    from: SqlClient,
    to: Target,
    migrations: ReadonlyArray<Migration>,
    progress: (at: CopyProgress) => Effect.Effect<void>
  ) {
    const content = yield* check(from, to, migrations)
    yield* migrate({ reader: to.fast, writer: to.slow, pooler: to.pooler })(migrations)
    const copied = yield* copyTables(from, to.slow, content, progress).pipe(
      to.slow.withTransaction,
      from.withTransaction
    )
    // The planner needs statistics about the new rows. The server would also collect them within minutes.
    yield* Effect.ignore(to.slow`analyze`)
    return copied
  },
  (effect) =>
    Effect.catchTag(effect, "SqlError", (error) =>
      Effect.fail(
        new DatabaseRefused({ reason: "Broken", message: `The database can't be copied: ${detailOf(error)}.` })
      )
    )
)

/** Reports what `copyDatabase` would copy, and fails if it would fail. Changes nothing. */
export const planCopy = Effect.fn("Copy.planCopy")(
  function* (from: SqlClient, to: Target, migrations: ReadonlyArray<Migration>) {
    yield* check(from, to, migrations)
    return counts(yield* checksumsOf(from, yield* tablesOf(from)))
  },
  (effect) =>
    Effect.catchTag(effect, "SqlError", (error) =>
      Effect.fail(new DatabaseRefused({ reason: "Broken", message: `The database can't be read: ${detailOf(error)}.` }))
    )
)
