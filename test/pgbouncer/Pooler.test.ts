import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll, expect, inject, test } from "vitest"
import { Connections, type DatabaseTarget, layer } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate } from "#sql/Migrations"
import { freshEnvironment } from "../server/postgres/FreshEnvironment.ts"
import { runToEnd, start } from "../server/ServerProcess.ts"
import { freshDatabase } from "../support/databases.ts"
import { type PgBouncer, startPgBouncer } from "../support/PgBouncer.ts"

const provided = inject("database")
const server = provided.kind === "postgres" ? provided.url : ""

/** A PgBouncer that drops a connection's settings instead of rejecting them. */
let dropping: PgBouncer
beforeAll(async () => {
  dropping = await startPgBouncer(server, { ignored: ["statement_timeout", "idle_in_transaction_session_timeout"] })
})
afterAll(() => dropping.stop())

const urlOf = (target: DatabaseTarget) => (target._tag === "Postgres" ? Redacted.value(target.url) : "")

const refusal = (target: DatabaseTarget) =>
  layer(target).pipe(Layer.build, Effect.scoped, Effect.flip, Effect.runPromise)

const ADVICE = "Set SALLYPORT_DATABASE_POOLER=transaction, or point DATABASE_URL directly at PostgreSQL."

test("RG-19: startup behind PgBouncer without the pooler setting fails and names the setting", async () => {
  const environment = await freshEnvironment()
  for (const [url, says] of [
    [environment.DATABASE_URL, "rejects statement_timeout, a setting of each connection."],
    [
      dropping.through(environment.DATABASE_URL),
      "drops the time limits set by each connection (statement_timeout, idle_in_transaction_session_timeout)."
    ]
  ] as const) {
    const refused = await runToEnd({ ...environment, DATABASE_URL: url, SALLYPORT_DATABASE_POOLER: "none" })
    expect(refused.code).toBe(1)
    const [happened, todo] = refused.output.trim().split("\n")
    expect(happened).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ is behind a pooler that /)
    expect([happened?.endsWith(says), todo]).toEqual([true, ADVICE])
  }
})

test("RG-19: startup fails for a database user without timeouts, because a hanging statement would never end", async () => {
  const target = await freshDatabase()
  const name = new URL(urlOf(target)).pathname.slice(1)
  const owner = new Client({ connectionString: server })
  await owner.connect()
  await owner.query(`alter database "${name}" set statement_timeout = 0`)
  await owner.end()
  const refused = await refusal(target)
  expect([refused.reason, refused.message]).toEqual([
    "NoTimeLimits",
    expect.stringMatching(
      /: behind a pooler, the user's time limits apply \(statement_timeout\), and this user has none\.$/
    )
  ])
})

test("RG-19: the database user's timeout ends a hanging statement, and the connection is reused", async () => {
  const target = await freshDatabase()
  const name = new URL(urlOf(target)).pathname.slice(1)
  const owner = new Client({ connectionString: server })
  await owner.connect()
  await owner.query(`alter database "${name}" set statement_timeout = '300ms'`)
  await owner.end()
  await Effect.gen(function* () {
    const { fast: sql, slow } = yield* Connections
    for (const client of [sql, slow]) {
      const ended = yield* Effect.flip(client`select pg_sleep(30)`)
      expect(ended.reason._tag).toBe("StatementTimeoutError")
      expect(yield* client`select 1 as one`).toEqual([{ one: 1 }])
    }
  }).pipe(Effect.provide(layer(target)), Effect.runPromise)
})

test("RG-19, C230: a non-transactional migration runs on one node, and releases its locks and timeouts", async () => {
  const target = await freshDatabase()
  const indexed = migration(
    "9001_indexed.sql",
    `-- without a transaction: the index of a large table
    drop index concurrently if exists realms_by_reference; create index concurrently realms_by_reference on realms (reference)`
  )
  await Effect.gen(function* () {
    const { fast, slow, pooler } = yield* Connections
    const files = [...(yield* readMigrations()), indexed]
    const limit = yield* slow<{ readonly set: string }>`select current_setting('statement_timeout') as set`
    const nodes = Array.from({ length: 4 }, () => migrate({ reader: fast, writer: slow, pooler })(files))
    const counts = yield* Effect.all(nodes, { concurrency: "unbounded" })
    expect(counts.toSorted()).toEqual([0, 0, 0, 1])
    const index = fast`select indisvalid as valid from pg_index where indexrelid = 'realms_by_reference'::regclass`
    expect(yield* index).toEqual([{ valid: true }])
    // As many statements as there may be sessions, so that each session is queried.
    const asked = slow`select current_setting('statement_timeout') as set, pg_sleep(0.1)::text as slept,
      (select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()) as locks`
    const sessions = yield* Effect.all(
      Array.from({ length: 4 }, () => asked),
      { concurrency: "unbounded" }
    )
    expect(sessions.flat()).toEqual(sessions.map(() => ({ set: limit[0]?.set, slept: "", locks: 0 })))
  }).pipe(Effect.provide(layer(target)), Effect.runPromise)
})

test("RG-19: the service isn't ready, and reports why, when its database user loses the timeouts", async () => {
  const environment = await freshEnvironment()
  const running = await start(environment)
  const ready = () => fetch(`${running.url}/readyz`)
  expect((await ready()).status).toBe(200)
  const owner = new Client({ connectionString: server })
  await owner.connect()
  const name = new URL(environment.DATABASE_URL).pathname.slice(1)
  await owner.query(`alter database "${name}" set statement_timeout = 0`)
  await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name])
  await owner.end()
  // The service's connections were ended, so it may report an unreachable database at first.
  const askedAndSaid = async () => {
    await ready()
    return running.output()
  }
  await expect.poll(askedAndSaid).toContain("Connections to the database have no time limits: a pooler drops them.")
  expect((await ready()).status).toBe(503)
  await running.stop("SIGKILL")
})
