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
    /** The start of the names of the files that hold the statements of the project's run. */
    statements: string
    /** A folder for the bundled service, should a test need it. */
    bundle: string
  }
}

/** The database server of a run with what its projects are told of it. */
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

/** Prepared by the first project that runs on PostgreSQL, for all of them. */
let prepared: Promise<Prepared> | undefined

/** How many projects still use it. */
let users = 0

/** Prepares the kind of database of a project once for its whole run and tells its workers where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = join(tmpdir(), `sallyport-bundle-${process.pid}`)
  const forget = async () => rmSync(bundle, { recursive: true, force: true })
  await forget()
  project.provide("bundle", bundle)
  const onPostgres = ["processes", "postgres"].includes(project.name)
  // What a database ran is looked at together, whichever project it was.
  project.provide("statements", join(statementsFolder(), onPostgres ? "postgres" : project.name))
  // Processes have either database.
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

/** Time limits of every session, as a user behind a pooler has them. */
const limits = { statement_timeout: "120s", idle_in_transaction_session_timeout: "30s" }

const run = <A, E>(effect: Effect.Effect<A, E, Reactivity.Reactivity>) =>
  Effect.runPromise(Effect.provideServiceEffect(effect, Reactivity.Reactivity, Reactivity.make))

// A server that has just been started refuses connections for a moment.
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
