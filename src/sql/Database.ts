import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseRefused } from "./DatabaseRefused.ts"
import { type Migration, readMigrations } from "./MigrationFiles.ts"
import { migrate } from "./Migrations.ts"
import type { Pooler } from "./Pooler.ts"
import * as Postgres from "./Postgres.ts"
import { openReplica, type Replica, type ReplicaTarget } from "./Replica.ts"
import { retryWhileUnreachable } from "./ServerWait.ts"

/**
 * The database to use.
 *
 * Options for PostgreSQL: `processes` is the number of processes that share the database, 1 by default. `poolSize` is each
 * process's number of connections for short statements, by default its share of 10, but at least 2. `answerWithin` is how
 * many seconds the server may be silent before a connection is closed (default: 9), and `slowAnswerWithin` is the same for
 * long statements (default: 130). `pooler` is the kind of pooler that the URL connects to (default: none). `currentUrl`
 * returns the URL with the password for the next connection, which may have changed. `replica` is a copy for reads, behind
 * the same kind of pooler.
 */
export type DatabaseTarget =
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted
      readonly pooler?: Pooler
      readonly poolSize?: number
      readonly processes?: number
      readonly answerWithin?: number
      readonly slowAnswerWithin?: number
      readonly currentUrl?: () => Redacted.Redacted | undefined
      readonly replica?: ReplicaTarget | undefined
    }
  | { readonly _tag: "Embedded"; readonly dataDir: string }
  | { readonly _tag: "Memory" }

/**
 * The clients of one database. `fast` serves requests. `slow` runs long statements, so that they don't delay requests.
 * `health` checks the database and sends this process's heartbeats. With the embedded database, all clients share a single
 * session. Inside a transaction of one client, use only that client.
 */
export class Connections extends Context.Service<
  Connections,
  {
    readonly fast: SqlClient
    readonly slow: SqlClient
    readonly health: SqlClient
    /** The maximum number of concurrent transactions of `fast`. On a server, this leaves some connections for reads. */
    readonly transactions: number
    /** Whether the database can be used. It can't if a pooler has been put in front of it that drops the time limits. */
    readonly check: Effect.Effect<boolean, SqlError>
    /** Closes all connections if they are to a standby, which accepts no writes. New ones are then opened to the primary. */
    readonly leaveStandby: Effect.Effect<void>
    /** A copy of the database for reads, or undefined if there is none. */
    readonly replica?: Replica | undefined
    readonly engine: "postgres" | "embedded"
    /** The kind of pooler that all connections go through. */
    readonly pooler: Pooler
    /** The description of the database in the start banner, without a password. */
    readonly describe: string
  }
>()("sallyport/sql/Connections") {}

/**
 * Opens the database and migrates it, unless `migrate` is false. `connectAfter` completes when more than one connection may
 * be opened, by default immediately. `waitSeconds` is how long to wait for a server that can't be reached, by default not
 * at all.
 */
export const layer = (
  target: DatabaseTarget,
  options: {
    readonly migrate?: boolean
    readonly connectAfter?: Effect.Effect<void>
    readonly waitSeconds?: number
  } = {}
): Layer.Layer<Connections, DatabaseRefused> =>
  Layer.effect(
    Connections,
    Effect.gen(function* () {
      const migrations = yield* readMigrations()
      const opened = yield* open(target, migrations, options)
      const { fast, slow, pooler } = opened
      if (options.migrate !== false) yield* migrate({ reader: fast, writer: slow, pooler })(migrations)
      return opened
    }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
  )

const limit = Metric.gauge("database_connections_limit", {
  description:
    "Maximum number of open connections of a process, by pool: fast (requests), slow (long statements), health (health checks and heartbeats), replica (reads on the replica)."
})

const open = Effect.fnUntraced(function* (
  target: DatabaseTarget,
  migrations: ReadonlyArray<Migration>,
  { connectAfter, waitSeconds = 0 }: { readonly connectAfter?: Effect.Effect<void>; readonly waitSeconds?: number }
) {
  if (target._tag === "Postgres") {
    const pools = Postgres.poolsOf(target)
    for (const pool of ["fast", "slow", "health"] as const) {
      yield* Metric.update(Metric.withAttributes(limit, { pool }), pools[pool])
    }
    const describe = Postgres.describe(target.url)
    const connect = Postgres.connect(target.url, pools, {
      ...target,
      ...(connectAfter === undefined ? {} : { connectAfter })
    })
    const clients = yield* retryWhileUnreachable(connect, { seconds: waitSeconds, database: describe })
    const transactions = Postgres.transactionsOf(pools.fast)
    const { pooler = "none", answerWithin = Postgres.ANSWER_WITHIN.fast } = target
    const replica =
      target.replica === undefined
        ? undefined
        : yield* openReplica(target.replica, { connections: pools.fast, pooler, answerWithin })
    if (replica !== undefined) {
      yield* Metric.update(Metric.withAttributes(limit, { pool: "replica" }), replica.connections)
    }
    return {
      ...clients,
      replica,
      transactions,
      check: Postgres.makeCheck(clients.health, pooler),
      engine: "postgres" as const,
      pooler,
      describe
    }
  }
  // Imported only here, so that a service on PostgreSQL doesn't load the embedded database.
  const Pglite = yield* Effect.promise(() => import("./Pglite.ts"))
  const folder = target._tag === "Embedded" ? target.dataDir : undefined
  const sql = yield* Pglite.connect(folder, migrations)
  const describe = folder === undefined ? "embedded database in memory" : `embedded database in ${folder}`
  return {
    fast: sql,
    slow: sql,
    health: sql,
    transactions: 1,
    check: Effect.as(sql`select 1`, true),
    leaveStandby: Effect.void,
    engine: "embedded" as const,
    pooler: "none" as const,
    describe: `${describe} (one process only)`
  }
})
