import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Clock, Effect } from "effect"
import { Connections, type DatabaseTarget, layer } from "#sql/Database"
import { type Migration, readMigrations } from "#sql/MigrationFiles"
import { label, migrate, migrationState } from "#sql/Migrations"
import { describe } from "#sql/Postgres"

/** The result of applying or planning migrations. Migrations are named like their files, for example `0011_mailbox`. */
export interface MigrationReport {
  /** A description of the database, without a password. */
  readonly database: string
  /** The last migration of the database before and after the run, or null if there is none. */
  readonly before: string | null
  readonly after: string | null
  /** The applied or planned migrations, oldest first. */
  readonly migrations: ReadonlyArray<string>
  readonly millis: number
}

type Named = Pick<Migration, "version" | "name">

/** The last migration that a database has or will have. */
const lastOf = (migrations: ReadonlyArray<Migration>, newer: ReadonlyArray<Named>): string | null => {
  const last = newer.at(-1) ?? migrations.at(-1)
  return last === undefined ? null : label(last)
}

/** Whether the database doesn't exist yet. A server's database always exists, even if it is empty. */
const isNew = (target: DatabaseTarget): boolean =>
  target._tag === "Embedded" && !existsSync(join(resolve(target.dataDir), "database"))

const descriptionOf = (target: DatabaseTarget): string => {
  if (target._tag === "Postgres") return describe(target.url)
  return target._tag === "Embedded" ? `embedded database in ${target.dataDir}` : "embedded database in memory"
}

/** Returns the pending migrations of a database, and those of a newer release. Doesn't create an embedded database. */
const stateOf = (target: DatabaseTarget, known: ReadonlyArray<Migration>) =>
  isNew(target) || target._tag === "Memory"
    ? Effect.succeed({ last: undefined, pending: known, newer: [] })
    : Connections.pipe(
        Effect.flatMap(({ fast }) => migrationState(fast, known)),
        Effect.provide(layer(target, { migrate: false }))
      )

/** Reports what `applyMigrations` would do, without changing anything. */
export const planMigrations = Effect.fnUntraced(function* (target: DatabaseTarget) {
  const clock = yield* Clock.Clock
  const from = clock.monotonicTimeNanosUnsafe()
  const known = yield* readMigrations()
  const { last, newer, pending } = yield* stateOf(target, known)
  return {
    database: descriptionOf(target),
    before: last === undefined ? null : label(last),
    after: lastOf(known, newer),
    migrations: pending.map(label),
    millis: Math.round(Number(clock.monotonicTimeNanosUnsafe() - from) / 1e6)
  } satisfies MigrationReport
})

/**
 * Applies the migrations that a database lacks, each in its own transaction. Nodes that migrate at the same time wait
 * for one another, and each reports only the migrations that it applied. `applied` is called after each migration.
 */
export const applyMigrations = Effect.fnUntraced(function* (
  target: DatabaseTarget,
  applied: (name: string) => Effect.Effect<void>
) {
  const clock = yield* Clock.Clock
  const from = clock.monotonicTimeNanosUnsafe()
  const known = yield* readMigrations()
  // A new embedded database is unpacked with all migrations already applied.
  const fresh = isNew(target) || target._tag === "Memory"
  const names: Array<string> = fresh ? known.map(label) : []
  const note = (migration: Migration) => {
    names.push(label(migration))
    return applied(label(migration))
  }
  const { last: before, newer } = yield* Effect.gen(function* () {
    const { fast, slow, pooler } = yield* Connections
    const state = yield* migrationState(fast, known)
    yield* migrate({ reader: fast, writer: slow, pooler, applied: note })(known)
    return state
  }).pipe(Effect.provide(layer(target, { migrate: false })))
  return {
    database: descriptionOf(target),
    before: fresh || before === undefined ? null : label(before),
    after: lastOf(known, newer),
    migrations: names,
    millis: Math.round(Number(clock.monotonicTimeNanosUnsafe() - from) / 1e6)
  } satisfies MigrationReport
})
