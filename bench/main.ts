import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { casesOf } from "./Cases.ts"
import { cores, moveTo, placement, placementInWords } from "./Cores.ts"
import { type Database, openDatabase } from "./Database.ts"
import { embedded, type FirstAnswers, onPostgres } from "./FirstAnswers.ts"
import { measureLogins, type Rush } from "./Logins.ts"
import { markdown, type MemoryRow, type Results } from "./Report.ts"
import { type Measured, measure, type Pace } from "./Rounds.ts"
import { checkSameWork } from "./SameWork.ts"
import { type Seeded, seed } from "./Seed.ts"
import { firstAnswer, memory, type Program, start, stopAll } from "./Servers.ts"

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

/** Progress goes where it is not taken for the result. */
const say = (text: string) => process.stderr.write(`${text}\n`)

/** The bundle to measure: one that is given, else a new one. */
const builtService = (): string => {
  if (options.service !== undefined) return resolve(options.service)
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("npm run build failed")
  const manifest: { readonly bin: { readonly sallyport: string } } = JSON.parse(
    readFileSync(resolve(root, "package.json"), "utf8")
  )
  return resolve(root, manifest.bin.sallyport)
}

const rootKey = randomBytes(24).toString("hex")

const programsOn = (url: string, service: string) => {
  const shared = {
    DATABASE_URL: url,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "http://bench.test"
  }
  return {
    service: { name: "service", file: service, environment: { ...shared, SALLYPORT_ROOT_KEY: rootKey } },
    floor: { name: "floor", file: resolve(root, "bench/floor/main.ts"), environment: shared }
  } satisfies Record<string, Program>
}

const run = async (database: Database) => {
  const file = builtService()
  const programs = programsOn(database.url, file)
  const service = await start(programs.service)
  await firstAnswer(service, "/healthz")
  say("seeding 102,000 users")
  const seeded: Seeded = await seed(`http://127.0.0.1:${service.port}`, rootKey, database.url)
  await service.stop("SIGKILL")

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
    firstAnswers.push(await embedded(file, rootKey, starts))
  }
  return { rows, memory: memories, logins, firstAnswers }
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
  const all = [...found.rows, ...found.logins.map((row) => ({ name: "logins", ...row }))]
  for (const { name, wrong, firstWrong } of all.filter((row) => row.wrong > 0)) {
    say(`${name}: ${wrong} wrong answers, the first: ${firstWrong}`)
    process.exitCode = 1
  }
} finally {
  stopAll()
  await database.stop()
}
