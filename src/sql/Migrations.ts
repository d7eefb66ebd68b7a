import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { codeOf, DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import type { Migration } from "./MigrationFiles.ts"
import type { Pooler } from "./Pooler.ts"

/** An applied migration. `needs` is as in `Migration`, or null if unknown. */
interface Applied {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly needs: number | null
}

/** A migration's number and name. */
type Named = Pick<Migration, "version" | "name">

/**
 * The migrations of a database: the last applied one, if any, the pending ones, oldest first, and those of a newer release
 * that is compatible with this one.
 */
export interface MigrationState {
  readonly last: Named | undefined
  readonly pending: ReadonlyArray<Migration>
  readonly newer: ReadonlyArray<Named>
}

/**
 * Reads which migrations are pending. Fails if the database has one that is unknown to this release and incompatible with
 * it (C229).
 */
export const migrationState = Effect.fn("Migrations.state")(function* (
  sql: SqlClient,
  migrations: ReadonlyArray<Migration>
) {
  const present = yield* applied(sql).pipe(Effect.mapError(unreadable))
  const pending = yield* missing(migrations, present)
  const newer = present.filter(({ version }) => !migrations.some((known) => known.version === version))
  return { last: present.at(-1), pending, newer } satisfies MigrationState
})

/**
 * Applies the pending migrations. Each file runs in its own transaction unless it declares otherwise. A statement that
 * waits for a lock blocks others behind it, so it waits for only one second and is then retried. Returns the number of
 * applied migrations.
 *
 * `reader` runs the only query needed by an up-to-date database, and `writer` runs the files. `pooler` is the kind of
 * pooler they connect through, by default none. `applied` is called after each migration.
 */
export const migrate = (clients: {
  readonly reader: SqlClient
  readonly writer: SqlClient
  readonly pooler?: Pooler
  readonly applied?: (migration: Migration) => Effect.Effect<void>
}) =>
  Effect.fn("Migrations.migrate")(function* (migrations: ReadonlyArray<Migration>) {
    const { pending } = yield* migrationState(clients.reader, migrations)
    let count = 0
    for (const migration of pending) {
      if (!(yield* apply(clients.writer, migrations, migration, clients.pooler ?? "none"))) continue
      count += 1
      if (clients.applied !== undefined) yield* clients.applied(migration)
    }
    return count
  })

const applied = (sql: SqlClient): Effect.Effect<ReadonlyArray<Applied>, SqlError> =>
  // Reads `needs` from the whole row as JSON, because older databases don't have that column.
  sql<Applied>`select version, name, checksum, (to_jsonb(m) ->> 'needs')::int as needs from schema_migrations m
    order by version`.pipe(
    Effect.catchTag("SqlError", (error) => (codeOf(error) === "42P01" ? Effect.succeed([]) : Effect.fail(error)))
  )

const missing = Effect.fnUntraced(function* (known: ReadonlyArray<Migration>, present: ReadonlyArray<Applied>) {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]))
  const newest = known.at(-1)?.version ?? 0
  for (const row of present) {
    const migration = byVersion.get(row.version)
    if (migration === undefined) {
      if (row.needs !== null && row.needs <= newest) continue
      const message = `The database is newer than this release: it contains migration ${label(row)}, which this release does not know.`
      return yield* new DatabaseRefused({ reason: "Newer", message })
    }
    if (migration.checksum !== row.checksum) {
      const message = `Migration ${label(migration)} was changed after it had been applied to this database: its checksum differs. Run the release that created this database, or start with an empty one.`
      return yield* new DatabaseRefused({ reason: "Changed", message })
    }
  }
  const versions = new Set(present.map((row) => row.version))
  return known.filter((migration) => !versions.has(migration.version))
})

/** Another process holds a lock that a migration needs. */
class Locked extends Data.TaggedError("Locked")<{ readonly what: string }> {}

/** How long to retry a migration, and the pause between attempts. */
const PATIENCE = 60_000
const PAUSE = "1 second"

/** The key of the advisory lock for migrating. */
const LOCK = 358435515513

const apply = Effect.fnUntraced(function* (
  sql: SqlClient,
  known: ReadonlyArray<Migration>,
  migration: Migration,
  pooler: Pooler
): Effect.fn.Return<boolean, DatabaseRefused> {
  const stepwise = pooler === "none" ? applyStepwise : applyBehindPooler
  const attempt = migration.isTransactional ? applyAtOnce(sql, known, migration) : stepwise(sql, known, migration)
  const since = yield* Clock.currentTimeMillis
  while (true) {
    const result = yield* attempt.pipe(
      Effect.catchTag("Locked", Effect.succeed),
      Effect.catchTag("SqlError", (error) => Effect.flatMap(failed(sql, migration, error), Effect.fail))
    )
    if (!(result instanceof Locked)) return result
    if ((yield* Clock.currentTimeMillis) - since >= PATIENCE) {
      const message = `Migration ${label(migration)} waited a minute for ${result.what}. Nothing has changed.`
      return yield* new DatabaseRefused({ reason: "Busy", message })
    }
    yield* Effect.sleep(PAUSE)
  }
})

/** Only one node can migrate at a time. The other nodes retry until there is nothing left to do. */
const anotherNode = new Locked({ what: "another node, which is migrating the database" })

/** Limits the wait for table locks. While a statement waits for a lock, all other statements on that table wait behind it. */
const withLockTimeout = <A, E>(work: Effect.Effect<A, E | SqlError>) =>
  Effect.catchIf(
    work,
    (error) => error instanceof SqlError && error.reason._tag === "LockTimeoutError",
    () => Effect.fail(new Locked({ what: "a lock that another process holds on one of its tables" }))
  )

/** Applies a file in a transaction. Returns false if another node has already applied it. */
const applyAtOnce = (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) =>
  Effect.gen(function* () {
    yield* sql`set local lock_timeout = '1s'`
    yield* sql`set local statement_timeout = 0`
    const [lock] = yield* sql<{ readonly mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`
    if (lock?.mine !== true) return yield* anotherNode
    if (!(yield* withLockTimeout(isPending(sql, known, migration)))) return false
    for (const statement of migration.statements()) yield* withLockTimeout(sql.unsafe(statement).unprepared)
    yield* note(sql, migration)
    return true
  }).pipe(sql.withTransaction)

/** Runs the statements of a file one by one. Returns false if another node has already applied it. */
const steps = Effect.fnUntraced(function* (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) {
  if (!(yield* isPending(sql, known, migration))) return false
  for (const statement of migration.statements()) yield* sql.unsafe(statement).unprepared
  yield* note(sql, migration)
  return true
})

/** Runs work on one connection, outside any transaction. */
const onOneConnection = <A, E>(sql: SqlClient, work: Effect.Effect<A, E>) =>
  Effect.flatMap(sql.reserve, (connection) =>
    Effect.provideService(work, sql.transactionService, [connection, 0])
  ).pipe(Effect.scoped)

/**
 * Applies a file statement by statement. This is for statements that can't run in a transaction, such as building an index
 * concurrently. They don't block others while they wait.
 */
const applyStepwise = (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) =>
  onOneConnection(
    sql,
    Effect.gen(function* () {
      const [lock] = yield* sql<{ readonly mine: boolean }>`select pg_try_advisory_lock(${LOCK}) as mine`
      if (lock?.mine !== true) return yield* anotherNode
      const timeout = yield* sql<{ readonly was: string }>`select current_setting('statement_timeout') as was`
      const unlock = sql`select pg_advisory_unlock(${LOCK})`
      const restore = sql`select set_config('statement_timeout', ${timeout[0]?.was ?? "0"}, false)`
      return yield* Effect.andThen(sql`set statement_timeout = 0`, steps(sql, known, migration)).pipe(
        Effect.ensuring(Effect.orDie(Effect.andThen(unlock, restore)))
      )
    })
  )

/**
 * Applies a file statement by statement behind a pooler. Each statement may run in a different session, so a session's lock
 * or setting would affect other users of that session. A separate transaction has the lock instead.
 */
const applyBehindPooler = (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) =>
  Effect.gen(function* () {
    const [lock] = yield* sql<{ readonly mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`
    if (lock?.mine !== true) return yield* anotherNode
    // This must stay the last statement. A query's snapshot lives until the next statement, and an index build would wait
    // for it.
    yield* sql`set local idle_in_transaction_session_timeout = 0`
    return yield* onOneConnection(sql, steps(sql, known, migration))
  }).pipe(sql.withTransaction)

/** Returns whether a migration is still pending. Creates the table of applied migrations if necessary. */
const isPending = Effect.fnUntraced(function* (sql: SqlClient, known: ReadonlyArray<Migration>, migration: Migration) {
  yield* sql`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`
  yield* sql`alter table schema_migrations add column if not exists needs integer`
  return (yield* missing(known, yield* applied(sql))).includes(migration)
})

const note = Effect.fnUntraced(function* (sql: SqlClient, { version, name, checksum, needs }: Migration) {
  const row = { version, name, checksum, needs, applied_at: new Date(yield* Clock.currentTimeMillis) }
  yield* sql`insert into schema_migrations ${sql.insert(row)}`
})

/** The SQLSTATE of a missing privilege. */
const INSUFFICIENT_PRIVILEGE = "42501"

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The error for a user who lacks privileges. It includes the statement that grants them, if the database names the schema. */
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
    new DatabaseRefused({ reason: "Broken", message: `Migration ${label(migration)} failed: ${detail}.` })
  )
}

const unreadable = (error: SqlError) =>
  new DatabaseRefused({ reason: "Broken", message: `The table schema_migrations can't be read: ${detailOf(error)}.` })

/** The name of a migration's file, without its extension. */
export const label = (migration: { readonly version: number; readonly name: string }) =>
  `${String(migration.version).padStart(4, "0")}_${migration.name}`
