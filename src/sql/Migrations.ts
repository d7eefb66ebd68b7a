import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { codeOf, DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import type { Migration } from "./MigrationFiles.ts"

interface Applied {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

/** What a database has of the migrations: the last one that was applied, if any, and those that are missing, oldest first. */
export interface MigrationState {
  readonly last: Pick<Migration, "version" | "name"> | undefined
  readonly pending: ReadonlyArray<Migration>
}

/** Reads which migrations the database does not have yet. Refused if it has one that this release does not know. */
export const migrationState = Effect.fn("Migrations.state")(function* (
  sql: SqlClient,
  migrations: ReadonlyArray<Migration>
) {
  const present = yield* applied(sql).pipe(Effect.mapError(unreadable))
  return { last: present.at(-1), pending: yield* missing(migrations, present) } satisfies MigrationState
})

/**
 * Applies the migrations that the database does not have yet, forward only, each file in its own transaction. Returns how
 * many that were. `reader` runs the one query that an up-to-date database needs, `writer` runs the files. `applied`: is told of
 * each one.
 */
export const migrate = (clients: {
  readonly reader: SqlClient
  readonly writer: SqlClient
  readonly applied?: (migration: Migration) => Effect.Effect<void>
}) =>
  Effect.fn("Migrations.migrate")(function* (migrations: ReadonlyArray<Migration>) {
    const { pending } = yield* migrationState(clients.reader, migrations)
    let count = 0
    for (const migration of pending) {
      if (!(yield* apply(clients.writer, migrations, migration))) continue
      count += 1
      if (clients.applied !== undefined) yield* clients.applied(migration)
    }
    return count
  })

const applied = (sql: SqlClient): Effect.Effect<ReadonlyArray<Applied>, SqlError> =>
  sql<Applied>`select version, name, checksum from schema_migrations order by version`.pipe(
    Effect.catchTag("SqlError", (error) => (codeOf(error) === "42P01" ? Effect.succeed([]) : Effect.fail(error)))
  )

const missing = Effect.fnUntraced(function* (known: ReadonlyArray<Migration>, present: ReadonlyArray<Applied>) {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]))
  for (const row of present) {
    const migration = byVersion.get(row.version)
    if (migration === undefined) {
      const message = `The database is newer than this release: it contains migration ${label(row)}, which this release does not know.`
      return yield* new DatabaseRefused({ reason: "Newer", message })
    }
    if (migration.checksum !== row.checksum) {
      const message = `Migration ${label(migration)} was changed after it had been applied to this database: its checksum differs. Run the release that made this database, or start on an empty one.`
      return yield* new DatabaseRefused({ reason: "Changed", message })
    }
  }
  const versions = new Set(present.map((row) => row.version))
  return known.filter((migration) => !versions.has(migration.version))
})

const apply = (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) =>
  Effect.gen(function* () {
    // One node migrates at a time. The others wait here, and then find nothing left to do.
    yield* sql`set local lock_timeout = '30s'`
    yield* sql`set local statement_timeout = 0`
    yield* sql`select pg_advisory_xact_lock(358435515513)`
    yield* sql`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`
    const pending = yield* missing(known, yield* applied(sql))
    if (!pending.includes(migration)) return false
    for (const statement of migration.statements()) yield* sql.unsafe(statement).unprepared
    const row = {
      version: migration.version,
      name: migration.name,
      checksum: migration.checksum,
      applied_at: new Date(yield* Clock.currentTimeMillis)
    }
    yield* sql`insert into schema_migrations ${sql.insert(row)}`
    return true
  }).pipe(
    sql.withTransaction,
    Effect.catchTag("SqlError", (error) => Effect.flatMap(failed(sql, migration, error), Effect.fail))
  )

/** The SQLSTATE of whoever lacks a privilege. */
const INSUFFICIENT_PRIVILEGE = "42501"

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The refusal of a user without the privileges, with the statement that gives them where the database names the schema. */
const notAllowed = Effect.fnUntraced(function* (sql: SqlClient, migration: Migration, detail: string) {
  const [, schema] = /for schema "?([^"]+)"?$/.exec(detail) ?? []
  const [row] = yield* sql<{ readonly user: string }>`select current_user as user`.pipe(Effect.orElseSucceed(() => []))
  const grant =
    schema === undefined || row === undefined
      ? ""
      : ` Run as the owner of the database: GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(row.user)};`
  const message = `Migration ${label(migration)} failed: ${detail}.${grant}`
  return new DatabaseRefused({ reason: "NotAllowed", message })
})

const failed = (sql: SqlClient, migration: Migration, error: SqlError): Effect.Effect<DatabaseRefused> => {
  const detail = detailOf(error)
  if (codeOf(error) === INSUFFICIENT_PRIVILEGE) return notAllowed(sql, migration, detail)
  return Effect.succeed(
    error.reason._tag === "LockTimeoutError"
      ? new DatabaseRefused({
          reason: "Busy",
          message: `Migration ${label(migration)} waited 30 seconds for a lock that another process holds on the database.`
        })
      : new DatabaseRefused({ reason: "Broken", message: `Migration ${label(migration)} failed: ${detail}.` })
  )
}

const unreadable = (error: SqlError) =>
  new DatabaseRefused({ reason: "Broken", message: `The table schema_migrations cannot be read: ${detailOf(error)}.` })

/** A migration as its file is called. */
export const label = (migration: { readonly version: number; readonly name: string }) =>
  `${String(migration.version).padStart(4, "0")}_${migration.name}`
