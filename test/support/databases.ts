import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { type Connections, type DatabaseTarget, layer } from "#sql/Database"
import type { DatabaseRefused } from "#sql/DatabaseRefused"
import * as Postgres from "#sql/Postgres"

/** The values that the global setup passes to the workers of a project. `url` is the administration connection. */
export type ProvidedDatabase =
  | { readonly kind: "embedded" }
  | (ProvidedServer & {
      readonly kind: "postgres"
      /** The same URL through PgBouncer, if all tests should use it. */
      readonly pooled: string | undefined
      readonly prefix: string
      readonly template: string
    })

interface ProvidedServer {
  readonly url: string
  /** The folder of the server's local socket, if the tests started the server. */
  readonly socket: string | undefined
}

/** The worker's administration connection, opened on first use. */
let administration: Promise<SqlClient> | undefined

const administer = ({ url, socket }: ProvidedServer): Promise<SqlClient> =>
  (administration ??= Postgres.connect(near(Redacted.make(url), socket), Postgres.poolsOf({ poolSize: 1 })).pipe(
    Effect.map(({ slow }) => slow),
    Scope.provide(Scope.makeUnsafe()),
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  ))

/**
 * Creates a new, migrated, empty database of the running project's kind. The test kit calls this once per worker and
 * starts one service on it: `layer(await freshDatabase())` of `#sql/Database`. The database is removed at the end of
 * the run.
 */
export const freshDatabase = async (): Promise<DatabaseTarget> => {
  const provided = inject("database")
  if (provided.kind === "embedded") return { _tag: "Memory" }
  const name = `${provided.prefix}_${randomBytes(6).toString("hex")}`
  const sql = await administer(provided)
  await Effect.runPromise(sql`create database ${sql(name)} template ${sql(provided.template)}`)
  return {
    _tag: "Postgres",
    url: databaseUrl(provided.pooled ?? provided.url, name),
    pooler: provided.pooled === undefined ? "none" : "transaction",
    poolSize: 4
  }
}

/** A database as `start` of `sallyport/testing/promise` takes it. */
export const withPlainUrl = (target: DatabaseTarget) =>
  target._tag === "Postgres" ? { ...target, url: Redacted.value(target.url) } : target

/** Environment variables about the connection to the database, besides its URL. */
export const poolerEnvironment = (): Readonly<Record<string, string>> => {
  const provided = inject("database")
  return provided.kind === "postgres" && provided.pooled !== undefined
    ? { SALLYPORT_DATABASE_POOLER: "transaction" }
    : {}
}

/** Runs statements on the database at a URL, on a separate connection. */
export const withDatabase = <A>(url: string, use: (sql: SqlClient) => Effect.Effect<A, unknown>): Promise<A> =>
  Postgres.connect(Redacted.make(url), Postgres.poolsOf({ poolSize: 1 })).pipe(
    Effect.flatMap(({ slow }) => use(slow)),
    Effect.scoped,
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )

/** Creates a PostgreSQL database without tables and returns its URL. */
export const emptyDatabase = async (): Promise<string> => {
  const provided = inject("database")
  if (provided.kind === "embedded") throw new Error("This file needs PostgreSQL.")
  const name = `${provided.prefix}_${randomBytes(6).toString("hex")}`
  await withDatabase(provided.url, (sql) => sql`create database ${sql(name)}`)
  return Redacted.value(databaseUrl(provided.url, name))
}

/**
 * Creates a database for code in the test's process. If possible, it is reached over the server's local socket, which
 * takes less time.
 */
export const freshLocalDatabase = async (): Promise<DatabaseTarget> => {
  const [provided, database] = [inject("database"), await freshDatabase()]
  if (
    provided.kind === "embedded" ||
    provided.socket === undefined ||
    provided.pooled !== undefined ||
    database._tag !== "Postgres"
  )
    return database
  return { ...database, url: near(database.url, provided.socket) }
}

/**
 * Creates the database of a worker, which its test files share. Query plans are made and cached while its tables are small. The plans
 * use indexes, so they still work with thousands of realms.
 */
export const workerDatabase = async (): Promise<DatabaseTarget> => {
  const [provided, target] = [inject("database"), await freshLocalDatabase()]
  if (provided.kind === "postgres" && target._tag === "Postgres") {
    const [sql, name] = [await administer(provided), new URL(Redacted.value(target.url)).pathname.slice(1)]
    await Effect.runPromise(sql`alter database ${sql(name)} set enable_seqscan = off`)
  }
  return target
}

/** The URL of the same server over its local socket, or the given URL if the socket is unknown. */
const near = (url: Redacted.Redacted, socket: string | undefined): Redacted.Redacted => {
  if (socket === undefined) return url
  const other = new URL(Redacted.value(url))
  other.searchParams.set("host", socket)
  return Redacted.make(other.href)
}

/** A fresh database that nobody else uses, for the programs of one test or one file. */
export const freshConnections: Layer.Layer<Connections, DatabaseRefused> = Layer.unwrap(
  Effect.map(Effect.promise(freshLocalDatabase), (target) => layer(target))
)

/** Runs a program on a fresh database. */
export const onFreshDatabase = async <A, E>(program: Effect.Effect<A, E, Connections | Scope.Scope>): Promise<A> =>
  program.pipe(Effect.scoped, Effect.provide(layer(await freshLocalDatabase())), Effect.runPromise)

/**
 * The URL of another database on the same server. It has no connect timeout, which a virtual clock would reach
 * immediately.
 */
export const databaseUrl = (url: string, name: string): Redacted.Redacted => {
  const other = new URL(url)
  other.pathname = `/${name}`
  other.searchParams.set("connect_timeout", "0")
  return Redacted.make(other.href)
}
