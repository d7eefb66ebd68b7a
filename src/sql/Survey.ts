import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Connections, layer as database } from "./Database.ts"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import { readMigrations } from "./MigrationFiles.ts"
import { label, migrate, migrationState } from "./Migrations.ts"
import { checksumOf, prepareForWholeTables, structureOf, tablesOf } from "./Tables.ts"

/** A table with its number of rows and a checksum of the rows that doesn't depend on their order. */
export interface SurveyedTable {
  readonly table: string
  readonly rows: number
  readonly checksum: string
}

const refused = (error: SqlError) =>
  new DatabaseRefused({ reason: "Broken", message: `The database can't be read: ${detailOf(error)}.` })

/** The file names of pending migrations, and the total number of migrations. Fails if the database has unknown ones. */
export const pendingMigrations = Effect.fnUntraced(function* (sql: SqlClient) {
  const known = yield* readMigrations()
  const { pending, last } = yield* migrationState(sql, known)
  return { pending: pending.map(label), all: known.length, isEmpty: last === undefined }
})

/** Applies the pending migrations of a database. */
export const applyAll = Effect.fnUntraced(function* ({
  fast,
  slow,
  pooler
}: Pick<Connections["Service"], "fast" | "slow" | "pooler">) {
  return yield* migrate({ reader: fast, writer: slow, pooler })(yield* readMigrations())
})

/** The indexes, constraints and triggers that a new database of this release has and this one lacks, as `table.name`. */
export const missingStructure = Effect.fnUntraced(
  function* (sql: SqlClient) {
    const expected = yield* Effect.flatMap(Connections, ({ fast }) => structureOf(fast)).pipe(
      Effect.provide(database({ _tag: "Memory" }))
    )
    const own = new Set(yield* structureOf(sql))
    return { all: expected.length, missing: expected.filter((name) => !own.has(name)) }
  },
  Effect.catchTag("SqlError", (error) => Effect.fail(refused(error)))
)

/** Reads all tables in full, in one snapshot. */
export const surveyTables = Effect.fnUntraced(
  function* (sql: SqlClient) {
    return yield* Effect.gen(function* () {
      yield* sql`set transaction isolation level repeatable read, read only`
      yield* prepareForWholeTables(sql)
      const tables = yield* tablesOf(sql)
      return yield* Effect.forEach(tables, (table) =>
        Effect.map(checksumOf(sql, table), (found): SurveyedTable => ({ table: table.name, ...found }))
      )
    }).pipe(sql.withTransaction)
  },
  Effect.catchTag("SqlError", (error) => Effect.fail(refused(error)))
)
