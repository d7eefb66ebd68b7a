import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { buildService, imageFlags } from "../test/harness/Build.ts"
import { cores, pinProcess, placement, placementDescription } from "../test/harness/CpuAffinity.ts"
import { type Database, openDatabase } from "../test/harness/Database.ts"
import { memory, type Program, start, stopAll, timeToFirstResponse } from "../test/harness/Servers.ts"
import { casesOf } from "./load/Cases.ts"
import { checkEquivalence } from "./load/EquivalenceCheck.ts"
import { type CaseResult, measureCase, type Pace, warmUp } from "./load/Rounds.ts"
import { type Seeded, seed } from "./load/Seed.ts"
import { createPlainTables } from "./plain/Schema.ts"
import { markdown } from "./report/Report.ts"
import type { MemoryRow, Results } from "./report/Results.ts"
import type { ResultTable } from "./report/ResultTable.ts"
import { type CodeExchanges, measureCodeExchanges } from "./scenarios/CodeExchanges.ts"
import { type DeliveryIsolation, measureDeliveryIsolation } from "./scenarios/DeliveryIsolation.ts"
import { type DeliveryThroughput, measureDeliveryThroughput } from "./scenarios/DeliveryThroughput.ts"
import { type InvitationExpiry, measureInvitationExpiry } from "./scenarios/InvitationExpiry.ts"
import { type LoginThroughput, measureLoginThroughput } from "./scenarios/LoginThroughput.ts"
import { measureRateLimitCost } from "./scenarios/RateLimitCost.ts"
import { measureRealmDeletion, type RealmDeletion } from "./scenarios/RealmDeletion.ts"
import { measureRefusalTimes, type RefusalTimes } from "./scenarios/RefusalTimes.ts"
import { scenarios } from "./scenarios/Scenarios.ts"
import { measureSlowTemplates, type SlowTemplates } from "./scenarios/SlowTemplates.ts"
import { measureEmbedded, measureOnPostgres, type StartupTimes } from "./scenarios/StartupTimes.ts"

const root = new URL("..", import.meta.url).pathname

const { values: options } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false }, service: { type: "string" } }
})
const only = options.only?.split(",")
const isSelected = (name: string) => only === undefined || only.includes(name)

const pace: Pace = options.quick
  ? { rounds: 3, connections: 32, prepare: 1_000, warmUp: 150, window: 600 }
  : { rounds: 5, connections: 32, prepare: 4_000, warmUp: 500, window: 3_000 }
const starts = options.quick ? 3 : 7
const rush = options.quick
  ? { connections: 500, seconds: 4, samples: 50 }
  : { connections: 500, seconds: 15, samples: 300 }

const deliveries = options.quick
  ? { due: 3_000, pace: { rounds: 2, windowMillis: 3_000, perSecond: 50, due: 100 } }
  : { due: 30_000, pace: { rounds: 6, windowMillis: 15_000, perSecond: 100, due: 1_000 } }
const templates = options.quick
  ? { rounds: 2, windowMillis: 2_000, realms: 5 }
  : { rounds: 4, windowMillis: 5_000, realms: 5 }
const clearing = options.quick
  ? { users: 5_000, spared: 1_000, invitations: 1_000 }
  : { users: 100_000, spared: 10_000, invitations: 10_000 }

/** The numbers of code exchanges after which the live heap is measured. */
const exchanges = options.quick ? [500, 1_000] : [1_000, 5_000, 10_000]

/** The maximum resident memory of the service in MiB. */
const memoryTargets = { started: 100, loaded: 200 }

/** Progress goes to standard error, the report to standard output. */
const logProgress = (text: string) => process.stderr.write(`${text}\n`)

const rootKey = randomBytes(24).toString("hex")

const programsOn = (url: string, service: string) => {
  const shared = {
    DATABASE_URL: url,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "http://bench.test"
  }
  // The receivers are on this machine, and all load comes from one address with only a few keys.
  const own = { SALLYPORT_ROOT_KEY: rootKey, SALLYPORT_ALLOW_PRIVATE_TARGETS: "true", SALLYPORT_LIMITS: "off" }
  return {
    service: { name: "service", file: service, flags: imageFlags(), environment: { ...shared, ...own } },
    plain: { name: "plain", file: resolve(root, "bench/plain/main.ts"), environment: shared }
  } satisfies Record<string, Program>
}

type Programs = ReturnType<typeof programsOn>

/** Measures the scenarios that need the seeded users. */
const measureSeeded = async (database: Database, programs: Programs, seeded: Seeded) => {
  const rows: Array<CaseResult> = []
  const memories: Array<MemoryRow> = []
  const cases = casesOf(seeded)
  const chosen = cases.filter(({ name }) => isSelected(name) || isSelected("cases"))
  await createPlainTables(database.url)
  if (chosen.length > 0) {
    const service = await start(programs.service)
    const plain = await start(programs.plain)
    const servers = [service, plain]
    for (const server of servers) await timeToFirstResponse(server, "/healthz")
    const started = servers.map(memory)
    await checkEquivalence(service, plain, cases)
    pinProcess(placement.load)
    // V8 compiles frequently used code while it runs. Without a warm-up, the first case costs 50 % more.
    for (const { next } of chosen) await warmUp(servers, next, pace)
    for (const one of chosen) {
      logProgress(`measuring ${one.title}`)
      const others = [{ server: plain, next: one.next, target: one.target }]
      rows.push(await measureCase(one, { server: service, next: one.next }, others, pace))
    }
    servers.forEach((server, n) => {
      const { resident, peak } = memory(server)
      const targets = server === service ? memoryTargets : undefined
      memories.push({ name: server.name, started: started[n]?.resident ?? 0, loaded: resident, peak, targets })
    })
    for (const server of servers) await server.stop("SIGKILL")
  }

  const logins: Array<LoginThroughput> = []
  if (isSelected("logins")) {
    logProgress("measuring logins")
    logins.push(await measureLoginThroughput(programs, seeded, database.url, rush))
  }

  const startupTimes: Array<StartupTimes> = []
  if (isSelected("start")) {
    logProgress("measuring the first responses")
    const { key, users } = seeded.small
    startupTimes.push(...(await measureOnPostgres(programs, { path: `/v2/users/${users[0]}`, key }, starts)))
    startupTimes.push(await measureEmbedded(programs.service, rootKey, starts))
  }
  return { rows, memory: memories, logins, startupTimes }
}

/** The scenarios that create their own data. */
const ownData = [
  "limits",
  "login-times",
  "code-exchanges",
  "deliveries",
  "clearing",
  "templates",
  ...scenarios.map(({ name }) => name)
]

/** Measures the selected scenarios that create their own data. */
const measureOwnData = async ({ url, own }: Database, programs: Programs) => {
  const { service } = programs
  const limits: Array<CaseResult> = []
  if (isSelected("limits")) {
    logProgress("measuring the cost of rate limits")
    limits.push(await measureRateLimitCost(service, rootKey, url, pace))
  }
  const refusalTimes: Array<RefusalTimes> = []
  if (isSelected("login-times")) {
    logProgress("measuring the duration of failed hosted logins")
    refusalTimes.push(await measureRefusalTimes(service, rootKey, url, rush.samples))
  }
  const codeExchanges: Array<CodeExchanges> = []
  if (isSelected("code-exchanges")) {
    logProgress("measuring the heap after code exchanges")
    codeExchanges.push(await measureCodeExchanges(service, rootKey, exchanges))
  }
  const throughputs: Array<DeliveryThroughput> = []
  const isolations: Array<DeliveryIsolation> = []
  if (isSelected("deliveries")) {
    logProgress("measuring deliveries")
    throughputs.push(await measureDeliveryThroughput(service, rootKey, url, deliveries.due))
    logProgress("measuring deliveries beside a dead destination")
    isolations.push(await measureDeliveryIsolation(service, rootKey, url, deliveries.pace))
  }
  const realmDeletions: Array<RealmDeletion> = []
  const invitationExpiries: Array<InvitationExpiry> = []
  if (isSelected("clearing")) {
    logProgress("measuring a realm's deletion")
    realmDeletions.push(await measureRealmDeletion(service, rootKey, url, clearing))
    logProgress("measuring expiry")
    invitationExpiries.push(await measureInvitationExpiry(service, rootKey, url, clearing.invitations))
  }
  const tables: Array<ResultTable> = []
  const context = { ...programs, rootKey, url, ownsPostgres: own, quick: options.quick, pace }
  for (const { name, measure } of scenarios.filter((scenario) => isSelected(scenario.name))) {
    logProgress(`measuring ${name}`)
    tables.push(await measure(context))
  }
  const slowTemplates: Array<SlowTemplates> = []
  if (isSelected("templates")) {
    logProgress("measuring reads beside the slowest template")
    slowTemplates.push(await measureSlowTemplates(service, rootKey, url, templates))
  }
  return {
    limits,
    tables,
    refusalTimes,
    codeExchanges,
    throughputs,
    isolations,
    realmDeletions,
    invitationExpiries,
    slowTemplates
  }
}

const run = async (database: Database) => {
  const programs = programsOn(database.url, buildService(options.service))
  const service = await start(programs.service)
  await timeToFirstResponse(service, "/healthz")
  const alone = only !== undefined && only.every((name) => ownData.includes(name))
  if (alone) {
    await service.stop("SIGKILL")
    const none = { rows: [], memory: [], logins: [], startupTimes: [] }
    return { ...none, ...(await measureOwnData(database, programs)) }
  }
  logProgress("seeding 102,000 users")
  const seeded = await seed(`http://127.0.0.1:${service.port}`, rootKey, database.url)
  await service.stop("SIGKILL")
  return { ...(await measureSeeded(database, programs, seeded)), ...(await measureOwnData(database, programs)) }
}

// PostgreSQL inherits the core of this process. Afterwards, this process is pinned to another core.
pinProcess(placement.database)
const database = await openDatabase()
try {
  pinProcess(placement.load)
  const found = await run(database)
  const results: Results = {
    at: new Date().toISOString(),
    quick: options.quick,
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores,
      node: process.versions.node,
      postgres: database.version,
      placement: database.own
        ? placementDescription
        : `${placementDescription} (except this PostgreSQL, which is not pinned)`
    },
    pace: { rounds: pace.rounds, connections: pace.connections, windowMillis: pace.window },
    ...found
  }
  mkdirSync(resolve(root, "bench/results"), { recursive: true })
  writeFileSync(resolve(root, "bench/results/latest.json"), `${JSON.stringify(results, null, 2)}\n`)
  const report = markdown(results)
  writeFileSync(resolve(root, `bench/results/${options.only ?? "all"}.md`), `${report}\n`)
  console.log(report)
  const all = [
    ...found.rows,
    ...found.limits,
    ...found.refusalTimes.map((row) => ({ name: "login-times", ...row })),
    ...found.codeExchanges.map((row) => ({ name: "code-exchanges", ...row })),
    ...found.tables.map((row) => ({ name: row.title, ...row })),
    ...found.logins.map((row) => ({ name: "logins", ...row })),
    ...[...found.throughputs, ...found.isolations].map((row) => ({ name: "deliveries", ...row })),
    ...found.slowTemplates.map((row) => ({ name: "templates", ...row })),
    ...[...found.realmDeletions, ...found.invitationExpiries].map((row) => ({ name: "clearing", ...row }))
  ]
  for (const { name, wrong, firstWrong } of all.filter((row) => row.wrong > 0)) {
    logProgress(`${name}: ${wrong} wrong responses, the first: ${firstWrong}`)
    process.exitCode = 1
  }
} finally {
  stopAll()
  await database.stop()
}
