import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { TestProject } from "vitest/node"
import { layer } from "#sql/Database"
import * as Postgres from "#sql/Postgres"
import { statementsFolder } from "../suite/Statements.ts"
import { databaseUrl, type ProvidedDatabase } from "./databases.ts"
import { embeddedImage } from "./embeddedImage.ts"
import { startPgBouncer } from "./PgBouncer.ts"
import { type PostgresServer, startPostgres } from "./PostgresServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    database: ProvidedDatabase
    /** The prefix of the files with the statements of the project's run. */
    statements: string
    /** A folder for the bundled service, which tests build if they need it. */
    bundle: string
  }
}

/** The database server of a run, with the values passed to its projects. */
interface Prepared {
  readonly database: ProvidedDatabase
  readonly stop: () => Promise<void>
}

const prepare = async (): Promise<Prepared> => {
  const given = process.env.TEST_DATABASE_URL
  const isPooled = process.env.TEST_POOLER === "pgbouncer"
  const server: PostgresServer =
    given === undefined || isPooled
      ? await startPostgres(isPooled ? limits : {})
      : { url: given, stop: async () => undefined }
  const pooler = isPooled ? await startPgBouncer(server.url) : undefined
  const prefix = `sallyport_test_${process.pid}_${Date.now().toString(36)}`
  const template = `${prefix}_template`
  await withAdmin(server.url, (sql) => sql`create database ${sql(template)}`)
  await run(Effect.scoped(Layer.build(layer({ _tag: "Postgres", url: databaseUrl(server.url, template) }))))
  return {
    database: {
      kind: "postgres",
      url: server.url,
      socket: server.socket,
      pooled: pooler?.through(server.url),
      prefix,
      template
    },
    stop: async () => {
      if (given !== undefined && !isPooled) await withAdmin(given, dropAll(prefix))
      await pooler?.stop()
      await server.stop()
    }
  }
}

/** The server prepared by the first project on PostgreSQL for all PostgreSQL projects. */
let prepared: Promise<Prepared> | undefined

/** The number of projects that still use the prepared server. */
let users = 0

/** Prepares a project's kind of database once for the whole run, and passes its address to the workers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = join(tmpdir(), `sallyport-bundle-${process.pid}`)
  const forget = async () => rmSync(bundle, { recursive: true, force: true })
  await forget()
  project.provide("bundle", bundle)
  const onPostgres = ["processes", "postgres"].includes(project.name)
  // The statements of one database are checked together, whichever project ran them.
  project.provide("statements", join(statementsFolder(), onPostgres ? "postgres" : project.name))
  // Service processes may use either database.
  if (project.name !== "postgres") await embeddedImage()
  if (!onPostgres) {
    project.provide("database", { kind: "embedded" })
    return forget
  }
  users += 1
  const { database, stop } = await (prepared ??= prepare())
  project.provide("database", database)
  return async () => {
    users -= 1
    if (users === 0) await stop()
    await forget()
  }
}

/** Timeouts of every session, like those of a user behind a pooler. */
const limits = { statement_timeout: "120s", idle_in_transaction_session_timeout: "30s" }

const run = <A, E>(effect: Effect.Effect<A, E, Reactivity.Reactivity>) =>
  Effect.runPromise(Effect.provideServiceEffect(effect, Reactivity.Reactivity, Reactivity.make))

// A server that has just started rejects connections for a moment.
const withAdmin = <A, E>(url: string, use: (sql: SqlClient) => Effect.Effect<A, E>) =>
  run(
    Postgres.connect(Redacted.make(url), Postgres.poolsOf({ poolSize: 1 })).pipe(
      Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 300 }),
      Effect.flatMap(({ slow }) => use(slow)),
      Effect.scoped
    )
  )

const dropAll = (prefix: string) => (sql: SqlClient) =>
  Effect.gen(function* () {
    const names = yield* sql<{ datname: string }>`
      select datname from pg_database where starts_with(datname, ${prefix})`
    for (const { datname } of names) yield* sql`drop database ${sql(datname)} with (force)`
  })
