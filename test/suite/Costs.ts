import { cpus, tmpdir } from "node:os"
import { resolve } from "node:path"
import { Context, Effect, Exit, Layer, Redacted, Schedule, Scope } from "effect"
import type { DatabaseTarget } from "#sql/Database"
import { Given } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { overHttp, type Transport } from "#testing/Transport"
import { start, timeToFirstResponse } from "../harness/Servers.ts"
import { startPostgres } from "../support/PostgresServer.ts"

// Measures the costs in the table of docs/testing.md. Prints one row for each part of a test.

/** The mean time of an action in milliseconds, after a warm-up. */
const mean = async (times: number, action: () => Promise<unknown>): Promise<number> => {
  for (let n = 0; n < times / 4; n += 1) await action()
  const began = performance.now()
  for (let n = 0; n < times; n += 1) await action()
  return (performance.now() - began) / times
}

const columns: Array<Map<string, number>> = []

/** Measures the costs of a service on this database. */
const measure = async (database: DatabaseTarget): Promise<Map<string, number>> => {
  const scope = Scope.makeUnsafe()
  const layer = TestSallyport.layer({ database })
  // A server that has just started rejects connections for a moment.
  const patient = Effect.retry(Layer.buildWithScope(layer, scope), {
    schedule: Schedule.spaced("100 millis"),
    times: 100
  })
  const context = await Effect.runPromise(patient)
  const { transport, url, key } = Context.get(context, TestSallyport)
  const costs = new Map<string, number>()
  for (const [way, to] of [
    ["in the process", transport],
    ["over HTTP", overHttp(url)]
  ] as ReadonlyArray<readonly [string, Transport]>) {
    const given = new Given(to, key)
    const realm = await given.realm()
    const { id } = await realm.org()
    costs.set(`a read, ${way}`, await mean(400, () => realm.get(`/v2/orgs/${id}`)))
    costs.set(`a write, ${way}`, await mean(400, () => realm.org()))
    costs.set(`a realm, ${way}`, await mean(100, () => given.realm()))
    costs.set(`a user with a password, ${way}`, await mean(50, () => realm.user({ password: "correct horse battery" })))
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  costs.set(
    "a separate service with its database",
    await mean(4, () => Effect.runPromise(Effect.scoped(Layer.build(TestSallyport.layer({ database })))))
  )
  return costs
}

columns.push(await measure({ _tag: "Memory" }))
const server = await startPostgres()
columns.push(await measure({ _tag: "Postgres", url: Redacted.make(server.url), poolSize: 4 }))
await server.stop()

const source = resolve(import.meta.dirname, "../../src/cli/main.ts")
const environment = { DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: "a-root-key-of-more-than-32-characters" }
const started = await mean(2, async () => {
  const process = await start({ name: "service", file: source, environment: { ...environment, TMPDIR: tmpdir() } })
  await timeToFirstResponse(process, "/readyz")
  await process.stop("SIGKILL")
})

const shown = (millis: number | undefined) => (millis === undefined ? "" : millis.toFixed(millis < 100 ? 1 : 0))
console.log(`Milliseconds, on ${cpus().length} × ${cpus()[0]?.model}:\n`)
console.log("| What | Embedded | PostgreSQL |\n|---|---|---|")
for (const what of columns[0]?.keys() ?? []) {
  console.log(`| ${what} | ${columns.map((column) => shown(column.get(what))).join(" | ")} |`)
}
console.log(`| a process, from its source to the first answer | ${shown(started)} | |`)
process.exit()
