import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import type { Migration } from "./MigrationFiles.ts"
import { label, migrate, migrationState } from "./Migrations.ts"
import { checksumOf, forWholeTables, isEmpty, type Table, type TableChecksum, tablesOf } from "./Tables.ts"

/** How many rows are read and written at once. */
const BATCH = 500

/** A database is not copied. `message`: why, and `todo`: what to do. Nothing was changed. */
export class CopyRefused extends Data.TaggedError("CopyRefused")<{
  readonly message: string
  readonly todo: string
}> {}

/** How far a copy is. `copied` of `rows` in `table`; `done` of `all` in the database. */
export interface CopyProgress {
  readonly table: string
  readonly copied: number
  readonly rows: number
  readonly done: number
  readonly all: number
}

/** A table that was copied, or would be. */
export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

/** The clients of a database that is written to: `fast` looks outside of the transaction of `slow`. */
interface Target {
  readonly fast: SqlClient
  readonly slow: SqlClient
}

const counts = (checksums: ReadonlyMap<Table, TableChecksum>): ReadonlyArray<CopiedTable> =>
  [...checksums].map(([{ name }, { rows }]) => ({ table: name, rows }))

/** Refuses a source that is not of this release, and a target that has tables. */
const check = Effect.fnUntraced(function* (from: SqlClient, to: Target, migrations: ReadonlyArray<Migration>) {
  const { pending } = yield* migrationState(from, migrations)
  const [first] = pending
  if (first !== undefined) {
    return yield* new CopyRefused({
      message: `The embedded database is older than this release: it lacks ${pending.length} of the migrations, ${label(first)} first.`,
      todo: "Run sallyport migrate on it first, without DATABASE_URL."
    })
  }
  if (!(yield* isEmpty(to.fast))) {
    return yield* new CopyRefused({
      message: "The database in DATABASE_URL is not empty: there are tables in it.",
      todo: "Name an empty one: CREATE DATABASE makes it."
    })
  }
})

const checksumsOf = Effect.fnUntraced(function* (sql: SqlClient, tables: ReadonlyArray<Table>) {
  const checksums = new Map<Table, TableChecksum>()
  for (const table of tables) checksums.set(table, yield* checksumOf(sql, table))
  return checksums
})

/** Copies the rows of one table, as JSON, which has every value of every type in full. `told`: after each batch. */
const copyTable = Effect.fnUntraced(function* (
  from: SqlClient,
  to: SqlClient,
  { name, columns }: Table,
  told: (count: number) => Effect.Effect<void>
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
    yield* told(rows.length)
  }
  yield* from`close moved`.unprepared
})

/**
 * Copies all tables into an empty database of another server: migrates it, copies, and compares every table by its number of rows
 * and a checksum of them. All of it is one transaction there, so that a copy that fails leaves the database as empty as it was.
 */
export const copyDatabase = Effect.fn("Copy.copyDatabase")(
  function* (
    from: SqlClient,
    to: Target,
    migrations: ReadonlyArray<Migration>,
    progress: (at: CopyProgress) => Effect.Effect<void>
  ) {
    yield* check(from, to, migrations)
    const copied = yield* Effect.gen(function* () {
      yield* forWholeTables(from)
      yield* forWholeTables(to.slow)
      yield* migrate({ reader: to.fast, writer: to.slow })(migrations)
      const tables = yield* tablesOf(from)
      // What the migrations have written is in the source as well.
      for (const table of tables.toReversed()) yield* to.slow`delete from ${to.slow(table.name)}`
      const before = yield* checksumsOf(from, tables)
      const all = [...before.values()].reduce((sum, { rows }) => sum + rows, 0)
      let done = 0
      for (const [table, { rows }] of before) {
        let copied = 0
        yield* copyTable(from, to.slow, table, (count) => {
          copied += count
          done += count
          return progress({ table: table.name, copied, rows, done, all })
        })
      }
      const after = yield* checksumsOf(to.slow, tables)
      const differing = tables.filter((table) => before.get(table)?.checksum !== after.get(table)?.checksum)
      if (differing.length > 0) {
        const names = differing.map(({ name }) => name).join(", ")
        return yield* new CopyRefused({
          message: `What was copied differs from the embedded database in ${names}.`,
          todo: "The target was left empty. Report this."
        })
      }
      return counts(after)
    }).pipe(to.slow.withTransaction, from.withTransaction)
    // The planner needs statistics of what it has never seen; the server makes them within minutes in any case.
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

/** Says what `copyDatabase` would copy, and refuses what it would. Changes nothing. */
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
