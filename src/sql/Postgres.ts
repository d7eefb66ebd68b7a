import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"

const settings = (url: Redacted.Redacted, statementTimeout: string) => ({
  url,
  applicationName: "sallyport",
  keepAlive: "30 seconds" as const,
  startupParameters: {
    TimeZone: "UTC",
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: "30s"
  }
})

/** How many connections for short statements all processes have together by default. */
const DEFAULT_POOL_SIZE = 10

/** How long the connections after the first wait at most: part of the five seconds that each may take to open. */
const PATIENCE = "1 second"

/**
 * The password of a URL for each connection: at once for the first, and for the others when `connectAfter` ends, so that a
 * start waits for one connection only. A URL without a password gives none, and its connections wait for nothing.
 */
const passwordOf = (url: Redacted.Redacted, connectAfter: Effect.Effect<void>) => {
  const text = URL.parse(Redacted.value(url))?.password ?? ""
  if (text === "" || !isEncoded(text)) return {}
  const password = Redacted.make(decodeURIComponent(text))
  let asked = 0
  return {
    password: Effect.suspend(() =>
      Effect.as(asked++ === 0 ? Effect.void : Effect.raceFirst(connectAfter, Effect.sleep(PATIENCE)), password)
    )
  }
}

const isEncoded = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/** How many connections for long statements all processes have together. */
const SLOW_POOL_SIZE = 4

/** How many connections each pool of a process may open. */
interface Pools {
  readonly fast: number
  readonly slow: number
}

/**
 * The connections of each of several processes: its part of the default, at least two, so that one may be busy for long.
 * `poolSize`: as many for short statements in its place.
 */
export const poolsOf = ({
  poolSize,
  processes = 1
}: {
  readonly poolSize?: number
  readonly processes?: number
}): Pools => {
  const part = (size: number) => (processes === 1 ? size : Math.max(2, Math.ceil(size / processes)))
  return { fast: poolSize ?? part(DEFAULT_POOL_SIZE), slow: part(SLOW_POOL_SIZE) }
}

/** How many connections transactions may use at once. The remaining ones are for short statements only. */
export const transactionsOf = (poolSize: number): number =>
  Math.max(1, poolSize - Math.max(1, Math.floor(poolSize / 4)))

/** Opens two pools on one PostgreSQL server: `fast` shares its connections between short statements, `slow` does not. */
export const connect = Effect.fn("Postgres.connect")(
  function* (url: Redacted.Redacted, pools: Pools, connectAfter?: Effect.Effect<void>) {
    const fast = yield* PgClient.make({
      ...settings(url, "10s"),
      ...(connectAfter === undefined ? {} : passwordOf(url, connectAfter)),
      // All are opened and kept: who waits for a new one may get it together with a transaction, and then waits
      // for the end of that.
      minConnections: pools.fast,
      maxConnections: pools.fast,
      multiplex: true
    })
    const slow = yield* PgClient.make({ ...settings(url, "120s"), maxConnections: pools.slow })
    const [server] = yield* fast<{ number: number; version: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
    if (server !== undefined && server.number < 140_000) {
      const message = `${describe(url)} runs PostgreSQL ${server.version}; version 14 or later is required.`
      return yield* new DatabaseRefused({ reason: "TooOld", message })
    }
    return { fast, slow }
  },
  (effect, url) => Effect.catchTag(effect, "SqlError", (error) => Effect.fail(refusal(url, error)))
)

/** The server and database of a URL, without user or password. */
export const describe = (url: Redacted.Redacted): string => {
  const parsed = URL.parse(Redacted.value(url))
  return parsed === null ? "PostgreSQL" : `PostgreSQL at ${parsed.host || "a local socket"}${parsed.pathname}`
}

const refusal = (url: Redacted.Redacted, error: SqlError) =>
  error.reason._tag === "AuthenticationError"
    ? new DatabaseRefused({
        reason: "Unauthorized",
        message: `${describe(url)} rejected the user name or password in the database URL: ${detailOf(error)}.`
      })
    : new DatabaseRefused({
        reason: "Unreachable",
        message: `${describe(url)} cannot be used: ${detailOf(error)}.`
      })
