import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseRefused } from "./DatabaseRefused.ts"
import { readMigrations } from "./MigrationFiles.ts"
import { label, migrationState } from "./Migrations.ts"
import type { Pooler as PoolerMode } from "./Pooler.ts"
import {
  connectionsOf,
  describe,
  limitOf,
  missingLimits,
  poolsOf,
  readServer,
  refusal,
  refusedSetting,
  serversOf,
  sessionOf
} from "./Postgres.ts"
import type { ServerState } from "./Servers.ts"

/** The signs of a pooler in front of the database: it rejects or drops settings, or switches connections. */
export interface Pooler {
  /** The kind of pooler that is configured. */
  readonly expected: PoolerMode
  /** The setting that the pooler rejects at the start of a connection, if any. */
  readonly refuses: string | undefined
  /** The time limits that sessions lack, although each connection or the database user should set them. */
  readonly missingLimits: ReadonlyArray<string>
  /** Whether two transactions on one connection ran on different connections to the server. */
  readonly isPerTransaction: boolean
}

/** The result of inspecting a PostgreSQL database. */
export interface Inspection {
  /** The server and database, without user and password. */
  readonly describe: string
  /** The state of each server, if there are several. Otherwise empty. */
  readonly servers: ReadonlyArray<ServerState>
  readonly number: number
  readonly version: string
  /** Whether the database is a copy that accepts no writes. */
  readonly isReplica: boolean
  /** The round-trip time of a small statement, in milliseconds. This is the shortest of several samples. */
  readonly latency: number
  /** How far the server's clock is ahead of this one, and the uncertainty, in milliseconds. */
  readonly clock: { readonly ahead: number; readonly uncertain: number }
  /**
   * Numbers of connections: how many the user may open (undefined if a pooler decides), how many the server has now, and
   * how many a node may need.
   */
  readonly connections: { readonly limit: number | undefined; readonly used: number; readonly needed: number }
  readonly pooler: Pooler
  readonly privileges: {
    readonly user: string
    readonly schema: string | null
    readonly mayCreate: boolean
    /** The tables that the user can't read and write, and the tables that migrations can't alter. */
    readonly unusable: ReadonlyArray<string>
    readonly foreign: ReadonlyArray<string>
  }
  /** The pending migrations, by number and name, or the reason why the database does not match this release. */
  readonly migrations:
    | { readonly pending: ReadonlyArray<string>; readonly newer: ReadonlyArray<string>; readonly all: number }
    | DatabaseRefused
}

/** The settings that determine how many connections a node may need. */
export interface NodeSize {
  readonly poolSize?: number
  readonly processes: number
  readonly pooler?: PoolerMode
}

/** Opens two connections. If a pooler rejects their startup settings, opens them without these. */
const open = Effect.fnUntraced(function* (url: Redacted.Redacted, pooler: PoolerMode) {
  const { startupParameters, ...session } = sessionOf(url, "8s", pooler)
  // A pooler may not preserve prepared statements between transactions.
  const { servers, connection } = serversOf(url, pooler)
  const config = { ...session, ...connection, prepare: false, connectTimeout: "5 seconds" as const, maxConnections: 2 }
  const connect = (more: object) => Effect.tap(PgClient.make({ ...config, ...more }), (sql) => sql`select 1`)
  return yield* connect({ startupParameters }).pipe(
    Effect.map((sql) => ({ sql, servers, refuses: undefined as string | undefined })),
    Effect.catchTag("SqlError", (error) => {
      const refuses = refusedSetting(error)
      return refuses === undefined
        ? Effect.fail(error)
        : Effect.map(connect({}), (sql) => ({ sql, servers, refuses: refuses as string | undefined }))
    })
  )
})

interface Session {
  readonly pid: number
  readonly replica: boolean
  readonly used: number
}

const readSession = (sql: SqlClient) => sql<Session>`select pg_backend_pid() as pid, pg_is_in_recovery() as replica,
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`

const pidIn = (sql: SqlClient) =>
  Effect.map(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`, ([row]) => row?.pid)

/**
 * Returns whether two transactions on one connection run on different connections to the server. While the second one runs,
 * the server connection used by the first is kept busy.
 */
const switchesConnections = Effect.fnUntraced(function* (sql: SqlClient) {
  const first = yield* Deferred.make<number | undefined>()
  const held = yield* Deferred.make<void>()
  const isDone = yield* Deferred.make<void>()
  /** Runs two transactions on one connection of the pool, with a pause in between. */
  const inPool = Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* sql.reserve
      const pid = Effect.map(connection.executeUnprepared("select pg_backend_pid() as pid", [], undefined), ([row]) =>
        typeof row === "object" && row !== null && "pid" in row ? row.pid : undefined
      )
      const before = yield* pid
      yield* Deferred.succeed(first, typeof before === "number" ? before : undefined)
      yield* Deferred.await(held)
      const after = yield* pid
      return before !== after
    })
  )
  const holding = Effect.gen(function* () {
    yield* Deferred.await(first)
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* pidIn(sql)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(isDone)
      })
    )
  })
  const [changed] = yield* Effect.all([Effect.ensuring(inPool, Deferred.succeed(isDone, undefined)), holding], {
    concurrency: 2
  })
  return changed
})

const SAMPLES = 10

/** The current time in milliseconds, with microsecond precision. */
const milliseconds = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000n) / 1_000)

/** Compares the server's clock with this one. The sample with the shortest round trip is the most accurate. */
const compareClocks = Effect.fnUntraced(function* (sql: SqlClient) {
  const samples: Array<{ readonly ahead: number; readonly roundTrip: number }> = []
  for (let n = 0; n < SAMPLES; n++) {
    const sent = yield* milliseconds
    const [row] = yield* sql<{ readonly at: number }>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as at`
    const roundTrip = (yield* milliseconds) - sent
    samples.push({ ahead: (row?.at ?? 0) - (sent + roundTrip / 2), roundTrip })
  }
  samples.sort((one, other) => one.roundTrip - other.roundTrip)
  const [shortest] = samples
  return {
    latency: shortest?.roundTrip ?? 0,
    clock: { ahead: shortest?.ahead ?? 0, uncertain: (shortest?.roundTrip ?? 0) / 2 }
  }
})

const readPrivileges = Effect.fnUntraced(function* (sql: SqlClient) {
  const [own] = yield* sql<{ readonly user: string; readonly schema: string | null; readonly create: boolean | null }>`
    select current_user::text as user, current_schema()::text as schema,
      has_schema_privilege(current_schema(), 'CREATE') as create`
  const tables = yield* sql<{ readonly name: string; readonly usable: boolean; readonly own: boolean }>`
    select c.relname::text as name, pg_has_role(c.relowner, 'USAGE') as own,
      has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
        and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE') as usable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') order by 1`
  return {
    user: own?.user ?? "",
    schema: own?.schema ?? null,
    mayCreate: own?.create === true,
    unusable: tables.filter(({ usable }) => !usable).map(({ name }) => name),
    foreign: tables.filter((table) => !table.own).map(({ name }) => name)
  }
})

/** Inspects a PostgreSQL database on two separate connections. Changes nothing. */
export const inspect = Effect.fn("Inspection.inspect")(
  function* (url: Redacted.Redacted, { pooler = "none", ...size }: NodeSize) {
    const known = yield* readMigrations()
    const { sql, servers, refuses } = yield* open(url, pooler)
    const server = yield* readServer(sql)
    const [session] = yield* readSession(sql)
    const { latency, clock } = yield* compareClocks(sql)
    const pools = poolsOf(size)
    return {
      describe: describe(url),
      servers: yield* servers.survey,
      number: server?.number ?? 0,
      version: server?.version ?? "",
      isReplica: session?.replica === true,
      latency,
      clock,
      connections: {
        limit: pooler !== "none" ? undefined : server === undefined ? 0 : limitOf(server),
        used: session?.used ?? 0,
        needed: size.processes * connectionsOf(pools)
      },
      pooler: {
        expected: pooler,
        refuses,
        missingLimits: refuses === undefined ? yield* missingLimits(sql, pooler) : [],
        isPerTransaction: yield* switchesConnections(sql).pipe(
          Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.succeed(false) })
        )
      },
      privileges: yield* readPrivileges(sql),
      migrations: yield* migrationState(sql, known).pipe(
        Effect.map(({ newer, pending }) => ({
          all: known.length,
          pending: pending.map(label),
          newer: newer.map(label)
        })),
        Effect.catchTag("DatabaseRefused", Effect.succeed)
      )
    } satisfies Inspection
  },
  Effect.scoped,
  (effect, url) => Effect.catchTag(effect, "SqlError", (error: SqlError) => Effect.fail(refusal(url, error)))
)
