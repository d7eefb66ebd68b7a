import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { builtService } from "./harness/Build.ts"
import { cores, moveTo, placement, placementInWords } from "./harness/CpuAffinity.ts"
import { type Database, openDatabase } from "./harness/Database.ts"
import { firstAnswer, memory, type Program, start, stopAll } from "./harness/Servers.ts"
import { casesOf } from "./load/Cases.ts"
import { checkSameWork } from "./load/EquivalenceCheck.ts"
import { type Measured, measure, type Pace } from "./load/PairedRuns.ts"
import { type Seeded, seed } from "./load/Seed.ts"
import { type MemoryRow, markdown, type Results } from "./report/Report.ts"
import { type CodeExchanges, measureCodeExchanges } from "./scenarios/CodeExchanges.ts"
import { type Isolation, measureIsolation } from "./scenarios/DeliveryIsolation.ts"
import { measureThroughput, type Throughput } from "./scenarios/DeliveryThroughput.ts"
import { measureLogins, type Rush } from "./scenarios/LoginThroughput.ts"
import { type Crowd, measureOneAccount, measureOverload } from "./scenarios/Overload.ts"
import { measureLimits } from "./scenarios/RateLimitCost.ts"
import { type Clearing, type Expiry, measureClearing, measureExpiry } from "./scenarios/RealmDeletion.ts"
import { type LoginTimes, measureLoginTimes } from "./scenarios/RefusalTimes.ts"
import { measureTemplates, type Slowed } from "./scenarios/SlowTemplates.ts"
import { embedded, type FirstAnswers, onPostgres } from "./scenarios/StartupTimes.ts"

const root = new URL("..", import.meta.url).pathname

const { values: options } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false }, service: { type: "string" } }
})
const only = options.only?.split(",")
const wanted = (name: string) => only === undefined || only.includes(name)

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

/** After how many code exchanges the heap is looked at. */
const exchanges = options.quick ? [500, 1_000] : [1_000, 5_000, 10_000]

/** Progress goes where it is not taken for the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

const rootKey = randomBytes(24).toString("hex")

const programsOn = (url: string, service: string) => {
  const shared = {
    DATABASE_URL: url,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "http://bench.test"
  }
  // Its receivers are on this machine, and the load comes from one address and one key.
  const own = { SALLYPORT_ROOT_KEY: rootKey, SALLYPORT_ALLOW_PRIVATE_TARGETS: "true", SALLYPORT_LIMITS: "off" }
  return {
    service: { name: "service", file: service, environment: { ...shared, ...own } },
    floor: { name: "floor", file: resolve(root, "bench/baseline/main.ts"), environment: shared }
  } satisfies Record<string, Program>
}

type Programs = ReturnType<typeof programsOn>

/** The rows that are about users who are there already. */
const measureSeeded = async (database: Database, programs: Programs, seeded: Seeded) => {
  const rows: Array<Measured> = []
  const memories: Array<MemoryRow> = []
  const cases = casesOf(seeded)
  const chosen = cases.filter(({ name }) => wanted(name))
  if (chosen.length > 0) {
    const servers = [await start(programs.service), await start(programs.floor)] as const
    for (const server of servers) await firstAnswer(server, "/healthz")
    const started = servers.map(memory)
    await checkSameWork(...servers, cases)
    moveTo(placement.load)
    for (const one of chosen) {
      say(`measuring ${one.title}`)
      rows.push(await measure(...servers, one, pace))
    }
    servers.forEach((server, n) => {
      const { resident, peak } = memory(server)
      memories.push({ name: server.name, started: started[n]?.resident ?? 0, loaded: resident, peak })
    })
    for (const server of servers) await server.stop("SIGKILL")
  }

  const logins: Array<Rush> = []
  if (wanted("logins")) {
    say("measuring logins")
    const server = await start(programs.service)
    await firstAnswer(server, "/healthz")
    logins.push(await measureLogins(server, seeded, database.url, rush))
    await server.stop("SIGKILL")
  }

  const firstAnswers: Array<FirstAnswers> = []
  if (wanted("start")) {
    say("measuring first answers")
    const { key, users } = seeded.small
    firstAnswers.push(...(await onPostgres(programs, { path: `/v2/users/${users[0]}`, key }, starts)))
    firstAnswers.push(await embedded(programs.service.file, rootKey, starts))
  }
  return { rows, memory: memories, logins, firstAnswers }
}

/** The rows that bring their own data. */
const ownData = [
  "limits",
  "login-times",
  "code-exchanges",
  "deliveries",
  "clearing",
  "overload",
  "one-account",
  "templates"
]

/** Measures those that are wanted. */
const measureOwnData = async ({ url }: Database, { service }: Programs) => {
  const limits: Array<Measured> = []
  if (wanted("limits")) {
    say("measuring what limits cost")
    limits.push(await measureLimits(service, rootKey, url, pace))
  }
  const loginTimes: Array<LoginTimes> = []
  if (wanted("login-times")) {
    say("measuring how long refusals of hosted login take")
    loginTimes.push(await measureLoginTimes(service, rootKey, url, rush.samples))
  }
  const codeExchanges: Array<CodeExchanges> = []
  if (wanted("code-exchanges")) {
    say("measuring what code exchanges leave behind")
    codeExchanges.push(await measureCodeExchanges(service, rootKey, exchanges))
  }
  const throughputs: Array<Throughput> = []
  const isolations: Array<Isolation> = []
  if (wanted("deliveries")) {
    say("measuring deliveries")
    throughputs.push(await measureThroughput(service, rootKey, url, deliveries.due))
    say("measuring deliveries beside a dead destination")
    isolations.push(await measureIsolation(service, rootKey, url, deliveries.pace))
  }
  const clearings: Array<Clearing> = []
  const expiries: Array<Expiry> = []
  if (wanted("clearing")) {
    say("measuring the deletion of a realm")
    clearings.push(await measureClearing(service, rootKey, url, clearing))
    say("measuring expiry")
    expiries.push(await measureExpiry(service, rootKey, url, clearing.invitations))
  }
  const crowds: Array<Crowd> = []
  if (wanted("overload")) {
    say("measuring more writes than are taken")
    crowds.push(await measureOverload(service, rootKey, url, options.quick ? 5 : 30))
  }
  if (wanted("one-account")) {
    say("measuring many logins of one account")
    crowds.push(await measureOneAccount(service, rootKey, url, options.quick ? 5 : 40))
  }
  const slowed: Array<Slowed> = []
  if (wanted("templates")) {
    say("measuring reads beside the worst template")
    slowed.push(await measureTemplates(service, rootKey, url, templates))
  }
  return { limits, crowds, loginTimes, codeExchanges, throughputs, isolations, clearings, expiries, slowed }
}

const run = async (database: Database) => {
  const programs = programsOn(database.url, builtService(options.service))
  const service = await start(programs.service)
  await firstAnswer(service, "/healthz")
  const alone = only !== undefined && only.every((name) => ownData.includes(name))
  if (alone) {
    await service.stop("SIGKILL")
    const none = { rows: [], memory: [], logins: [], firstAnswers: [] }
    return { ...none, ...(await measureOwnData(database, programs)) }
  }
  say("seeding 102,000 users")
  const seeded = await seed(`http://127.0.0.1:${service.port}`, rootKey, database.url)
  await service.stop("SIGKILL")
  return { ...(await measureSeeded(database, programs, seeded)), ...(await measureOwnData(database, programs)) }
}

// PostgreSQL inherits its place from this process, which then moves to its own.
moveTo(placement.database)
const database = await openDatabase()
try {
  moveTo(placement.load)
  const found = await run(database)
  const results: Results = {
    at: new Date().toISOString(),
    quick: options.quick,
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores,
      node: process.versions.node,
      postgres: database.version,
      placement: database.own ? placementInWords : `${placementInWords} (but this PostgreSQL is where it is)`
    },
    pace: { rounds: pace.rounds, connections: pace.connections, windowMillis: pace.window },
    ...found
  }
  mkdirSync(resolve(root, "bench/results"), { recursive: true })
  writeFileSync(resolve(root, "bench/results/latest.json"), `${JSON.stringify(results, null, 2)}\n`)
  console.log(markdown(results))
  const all = [
    ...found.rows,
    ...found.limits,
    ...found.loginTimes.map((row) => ({ name: "login-times", ...row })),
    ...found.codeExchanges.map((row) => ({ name: "code-exchanges", ...row })),
    ...found.crowds.map((row) => ({ name: "overload", ...row })),
    ...found.logins.map((row) => ({ name: "logins", ...row })),
    ...[...found.throughputs, ...found.isolations].map((row) => ({ name: "deliveries", ...row })),
    ...found.slowed.map((row) => ({ name: "templates", ...row })),
    ...[...found.clearings, ...found.expiries].map((row) => ({ name: "clearing", ...row }))
  ]
  for (const { name, wrong, firstWrong } of all.filter((row) => row.wrong > 0)) {
    say(`${name}: ${wrong} wrong answers, the first: ${firstWrong}`)
    process.exitCode = 1
  }
} finally {
  stopAll()
  await database.stop()
}
