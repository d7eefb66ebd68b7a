import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseRefused, detailOf, isUnreachable } from "./DatabaseRefused.ts"
import { describeUrl, urlsOf } from "./HostList.ts"
import type { Pooler } from "./Pooler.ts"
import { makeServers, REQUIRE_WRITABLE } from "./Servers.ts"
import { addressOf, isEncrypted, openWatched } from "./SilentServer.ts"

/**
 * The options for opening a connection, and the settings with which its session starts. Behind a pooler, a session lasts
 * for only one transaction. It starts without settings that poolers reject, and uses no prepared statements. If there are
 * several servers, only one that accepts writes allows the session.
 */
export const sessionOf = (url: Redacted.Redacted, statementTimeout: string, pooler: Pooler = "none") => {
  const [first, ...others] = urlsOf(Redacted.value(url))
  const session = { url: Redacted.make(first), applicationName: "sallyport", keepAlive: "30 seconds" as const }
  const zone = { TimeZone: "UTC", ...(others.length === 0 ? {} : REQUIRE_WRITABLE) }
  if (pooler === "transaction") return { ...session, prepare: false, startupParameters: zone }
  const limits = { statement_timeout: statementTimeout, idle_in_transaction_session_timeout: "30s" }
  return { ...session, startupParameters: { ...zone, ...limits } }
}

/** The default number of connections for short statements, for all processes combined. */
const DEFAULT_POOL_SIZE = 10

/** The time limits for statements on the server. */
const STATEMENT_LIMITS = { fast: "8s", slow: "120s" } as const

/** How long the server may take to respond to a statement, in seconds. It is longer than the statements' time limits. */
export const ANSWER_WITHIN = { fast: 9, slow: 130 } as const

/** The maximum wait of connections after the first. It counts towards the five seconds for opening one. */
const PATIENCE = "1 second"

/**
 * The password for each connection to a URL. The first connection gets it immediately, and the others when `connectAfter`
 * completes, so that a start waits for only one connection. A URL without a password returns none, and its connections
 * don't wait, unless there are several servers to choose from.
 */
export const passwordOf = (
  url: Redacted.Redacted,
  currentUrl: () => Redacted.Redacted | undefined,
  connectAfter: Effect.Effect<void>,
  find: Effect.Effect<void> = Effect.void
) => {
  if (encodedIn(url) === undefined && urlsOf(Redacted.value(url)).length === 1) return {}
  let asked = 0
  const wait = Effect.suspend(() =>
    asked++ === 0 ? Effect.void : Effect.raceFirst(connectAfter, Effect.sleep(PATIENCE))
  )
  return { password: Effect.andThen(Effect.andThen(wait, find), currentPassword(url, currentUrl)) }
}

/** The current password of a URL, or an empty string if it has none. */
const currentPassword = (url: Redacted.Redacted, currentUrl: () => Redacted.Redacted | undefined) =>
  Effect.sync(() => Redacted.make(decodeURIComponent(encodedIn(currentUrl() ?? url) ?? "")))

/** The servers of a URL, and the additional options for connections used for inspection. */
export const serversOf = (url: Redacted.Redacted, pooler: Pooler) => {
  const servers = makeServers(
    url,
    sessionOf(url, STATEMENT_LIMITS.fast, pooler),
    currentPassword(url, () => url)
  )
  if (urlsOf(Redacted.value(url)).length === 1) return { servers, connection: {} }
  const found = passwordOf(url, () => url, Effect.void, servers.find)
  return { servers, connection: { ...servers.options, ...found, stream: servers.openerOf(ANSWER_WITHIN.fast) } }
}

/** The percent-encoded password of a URL, or undefined if there is none or the URL can't be parsed. */
const encodedIn = (url: Redacted.Redacted): string | undefined => {
  const text = URL.parse(urlsOf(Redacted.value(url))[0])?.password ?? ""
  return text !== "" && isEncoded(text) ? text : undefined
}

const isEncoded = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/** The number of connections for long statements, for all processes combined. */
const SLOW_POOL_SIZE = 4

/** The maximum number of connections in each pool of a process. */
interface Pools {
  readonly fast: number
  readonly slow: number
  readonly health: number
}

/** The total number of connections a process may open. */
export const connectionsOf = ({ fast, slow, health }: Pools): number => fast + slow + health

/**
 * The connections of one process: its share of the default, but at least two, so that one may be busy for a long time, and
 * one for health checks. `poolSize` is the configured number of connections for short statements, if any.
 */
export const poolsOf = ({
  poolSize,
  processes = 1
}: {
  readonly poolSize?: number
  readonly processes?: number
}): Pools => {
  const part = (size: number) => (processes === 1 ? size : Math.max(2, Math.ceil(size / processes)))
  return { fast: poolSize ?? part(DEFAULT_POOL_SIZE), slow: part(SLOW_POOL_SIZE), health: 1 }
}

/** The maximum number of connections that transactions may use. The rest are reserved for short statements. */
export const transactionsOf = (poolSize: number): number =>
  Math.max(1, poolSize - Math.max(1, Math.floor(poolSize / 4)))

/** A server's version and connection limits. A negative limit means unlimited. */
export interface Server {
  readonly number: number
  readonly version: string
  readonly serverLimit: number
  readonly roleLimit: number
  readonly databaseLimit: number
}

/** The oldest supported version of PostgreSQL. */
export const OLDEST = 140_000

/** The number of connections that the user could open if nobody else had any. */
export const limitOf = ({ serverLimit, roleLimit, databaseLimit }: Server): number =>
  Math.min(...[serverLimit, roleLimit, databaseLimit].filter((limit) => limit >= 0))

/** Reads a server's version and limits. */
export const readServer = (sql: SqlClient): Effect.Effect<Server | undefined, SqlError> =>
  Effect.map(
    sql<Server>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('max_connections')::int - case when r.rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end as "serverLimit",
      case when r.rolsuper then -1 else r.rolconnlimit end as "roleLimit",
      case when r.rolsuper then -1 else d.datconnlimit end as "databaseLimit"
    from pg_roles r cross join pg_database d where r.rolname = current_user and d.datname = current_database()`,
    ([server]) => server
  )

interface TimeLimit {
  readonly name: string
  readonly setting: string
  readonly source: string
}

/** The time limits that sessions lack. Without them, a hanging statement is never ended. */
export const missingLimits = (sql: SqlClient, pooler: Pooler): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    sql<TimeLimit>`select name, setting, source from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name desc`.unprepared,
    (limits) =>
      limits
        .filter(({ setting, source }) => (pooler === "none" ? source !== "client" : setting === "0"))
        .map(({ name }) => name)
  )

/** Checks whether sessions have their time limits. If they lose them, this is logged once. */
export const makeCheck = (sql: SqlClient, pooler: Pooler): Effect.Effect<boolean, SqlError> => {
  let isLogged = false
  return Effect.flatMap(missingLimits(sql, pooler), (missing) => {
    const isNew = missing.length > 0 && !isLogged
    isLogged = missing.length > 0
    if (!isNew) return Effect.succeed(!isLogged)
    return Effect.logError("Connections to the database have no time limits: a pooler drops them.").pipe(
      Effect.annotateLogs({ missing: missing.join(", ") }),
      Effect.as(false)
    )
  })
}

/** Finds the setting that a pooler rejected, in its error message. */
const REFUSED_SETTING = /unsupported startup parameter:? "?([\w.]+)/

/** The setting because of which a pooler rejected a connection, or undefined if that is not the reason. */
export const refusedSetting = (error: SqlError): string | undefined => REFUSED_SETTING.exec(detailOf(error))?.[1]

/** Rejects a server whose sessions have no time limits. */
const requireLimits = Effect.fnUntraced(function* (sql: SqlClient, url: Redacted.Redacted, pooler: Pooler) {
  const missing = yield* missingLimits(sql, pooler)
  if (missing.length === 0) return
  if (pooler === "none") {
    const message = `${describe(url)} is behind a pooler that drops the time limits set by each connection (${missing.join(", ")}).`
    return yield* new DatabaseRefused({ reason: "Pooler", message })
  }
  const message = `${describe(url)} would never end a statement that hangs: behind a pooler, the user's time limits apply (${missing.join(", ")}), and this user has none.`
  return yield* new DatabaseRefused({ reason: "NoTimeLimits", message })
})

/** Returns a function that opens connections, each closed if the server is silent for `answerWithin` seconds. */
export const openerOf = (url: Redacted.Redacted, answerWithin: number) => () => {
  const text = Redacted.value(url)
  return openWatched(addressOf(text), answerWithin * 1000, isEncrypted(text))
}

interface ConnectOptions {
  readonly pooler?: Pooler
  readonly processes?: number
  readonly answerWithin?: number
  readonly slowAnswerWithin?: number
  readonly connectAfter?: Effect.Effect<void>
  readonly currentUrl?: () => Redacted.Redacted | undefined
}

/**
 * Opens three pools on a PostgreSQL server, or on the one that accepts writes if there are several servers. `fast` and
 * `health` share their connections between short statements. `slow` does not.
 */
export const connect = Effect.fn("Postgres.connect")(
  function* (
    url: Redacted.Redacted,
    pools: Pools,
    {
      pooler = "none",
      processes = 1,
      answerWithin = ANSWER_WITHIN.fast,
      slowAnswerWithin = ANSWER_WITHIN.slow,
      connectAfter = Effect.void,
      currentUrl = () => url
    }: ConnectOptions = {}
  ) {
    const session = sessionOf(url, STATEMENT_LIMITS.fast, pooler)
    const servers = makeServers(url, session, currentPassword(url, currentUrl))
    const fast = yield* PgClient.make({
      ...session,
      ...servers.options,
      stream: servers.openerOf(answerWithin),
      ...passwordOf(url, currentUrl, connectAfter, servers.find),
      // All connections are opened immediately and stay open. Otherwise a request that waits for a new connection might
      // share it with a transaction and have to wait until that ends.
      minConnections: pools.fast,
      maxConnections: pools.fast,
      multiplex: true
    })
    const slow = yield* PgClient.make({
      ...sessionOf(url, STATEMENT_LIMITS.slow, pooler),
      ...servers.options,
      stream: servers.openerOf(slowAnswerWithin),
      ...passwordOf(url, currentUrl, Effect.void, servers.find),
      maxConnections: pools.slow
    })
    const health = yield* PgClient.make({
      ...session,
      ...servers.options,
      stream: servers.openerOf(answerWithin),
      ...passwordOf(url, currentUrl, Effect.void, servers.find),
      maxConnections: pools.health,
      multiplex: true
    })
    yield* requireLimits(fast, url, pooler)
    const server = yield* readServer(fast)
    if (server !== undefined && server.number < OLDEST) {
      const message = `${describe(url)} runs PostgreSQL ${server.version}; version 14 or later is required.`
      return yield* new DatabaseRefused({ reason: "TooOld", message })
    }
    const limit = server === undefined ? Number.POSITIVE_INFINITY : limitOf(server)
    const needed = processes * connectionsOf(pools)
    // Behind a pooler, these connections are to the pooler, which has its own limits.
    if (pooler === "none" && needed > limit) {
      const message = `${describe(url)} lets this user open ${limit} connections, but this service may need ${needed}. Reduce SALLYPORT_DATABASE_POOL_SIZE or SALLYPORT_WORKERS, or raise the limit.`
      return yield* new DatabaseRefused({ reason: "TooFewConnections", message })
    }
    const leaveStandby = Effect.ignore(
      Effect.map(fast<{ readonly standby: boolean }>`select pg_is_in_recovery() as standby`, ([row]) => {
        if (row?.standby === true) servers.closeAll()
      })
    )
    return { fast, slow, health, leaveStandby }
  },
  (effect, url) => Effect.catchTag(effect, "SqlError", (error) => Effect.fail(refusal(url, error)))
)

/** The servers and the database of a URL for display, without user and password. */
export const describe = (url: Redacted.Redacted): string => describeUrl(Redacted.value(url))

/** The error that explains why a server can't be used. */
export const refusal = (url: Redacted.Redacted, error: SqlError) => {
  if (error.reason._tag === "AuthenticationError") {
    const message = `${describe(url)} rejected the user name or password in the database URL: ${detailOf(error)}.`
    return new DatabaseRefused({ reason: "Unauthorized", message })
  }
  const setting = refusedSetting(error)
  if (setting !== undefined) {
    const message = `${describe(url)} is behind a pooler that rejects ${setting}, a setting of each connection.`
    return new DatabaseRefused({ reason: "Pooler", message })
  }
  const reason = isUnreachable(error) ? "Away" : "Unreachable"
  return new DatabaseRefused({ reason, message: `${describe(url)} cannot be used: ${detailOf(error)}.` })
}
