import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Pooler } from "./Pooler.ts"
import { describe, openerOf, passwordOf, refusal, sessionOf } from "./Postgres.ts"

/** A read-only copy of the database. `currentUrl` returns the URL with the password for the next connection. */
export interface ReplicaTarget {
  readonly url: Redacted.Redacted
  /** How long a read waits for the replica to catch up with the primary, in milliseconds. */
  readonly maxLagMillis: number
  readonly currentUrl?: () => Redacted.Redacted | undefined
}

/** The connections to a copy of the database. They are opened on demand. */
export interface Replica {
  readonly sql: SqlClient
  /** The server and database, without a password. */
  readonly describe: string
  readonly maxLagMillis: number
  /** The maximum number of connections for reads. */
  readonly connections: number
  /** Runs work on one connection, so that all statements reach the same server. */
  readonly hold: <A, E, R>(
    work: (connection: Connection) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError, R>
}

/** The time limit for statements on the replica. Longer statements run on the primary. */
const STATEMENT_LIMIT = "8s"

/** Prepares connections to a replica. It does not have to be reachable yet. */
export const openReplica = Effect.fnUntraced(function* (
  { url, maxLagMillis, currentUrl = () => url }: ReplicaTarget,
  {
    connections,
    pooler,
    answerWithin
  }: { readonly connections: number; readonly pooler: Pooler; readonly answerWithin: number }
) {
  const sql = yield* PgClient.make({
    ...sessionOf(url, STATEMENT_LIMIT, pooler),
    stream: openerOf(url, answerWithin),
    ...passwordOf(url, currentUrl, Effect.void),
    // One more connection, so that the replica can be checked while all others are busy.
    maxConnections: connections + 1
  }).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(refusal(url, error))))
  // Behind a pooler, only statements in a transaction are certain to reach the same server.
  const hold: Replica["hold"] =
    pooler === "transaction"
      ? (work) =>
          sql.withTransaction(
            Effect.contextWith((context: Context.Context<never>) =>
              work(Option.getOrThrow(Context.getOption(context, sql.transactionService))[0])
            )
          )
      : (work) => Effect.scoped(Effect.flatMap(sql.reserve, work))
  const replica: Replica = { sql, describe: describe(url), maxLagMillis, connections, hold }
  return replica
})
