import { spawn } from "node:child_process"
import { Api } from "#testing/Api"
import { onServerCpu } from "../../test/harness/CpuAffinity.ts"
import { whole } from "../../test/harness/Figures.ts"
import { cpuSeconds, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { type Case, casesOf } from "../load/Cases.ts"
import { pause } from "../load/OpenLoop.ts"
import { type CaseResult, measureCase, type Pace } from "../load/Rounds.ts"
import { seedRealm } from "../load/Seed.ts"
import { createPlainTables } from "../plain/Schema.ts"
import { type ResultTable, wrongOf } from "../report/ResultTable.ts"
import { pair, spread } from "../report/Table.ts"
import type { Context } from "./Scenario.ts"

/** Writes to random places in 64 MB, which evicts the data of other processes from the core's caches. */
const disturbance = "const a = new Float64Array(8e6); for (let i = 1; ; i = (i * 48271) % 7999993) a[i] += 1"

/** Runs an operation while another process competes for the server's core. */
const withCompetitor = async <A>(operation: () => Promise<A>): Promise<A> => {
  const [command, parameters] = onServerCpu(process.execPath, ["-e", disturbance])
  const child = spawn(command, parameters, { stdio: "ignore" })
  try {
    return await operation()
  } finally {
    child.kill("SIGKILL")
  }
}

/** A row with the ratios, the CPU time per request, the use of the core and the wake-ups per request. */
const rowOf = (title: string, { service, others: [plain] }: CaseResult): ResultTable["rows"][number] => [
  title,
  plain === undefined
    ? ""
    : [
        `${spread(plain.cpuRatio, 2)} × plain`,
        `${pair(service.cpuMicros, plain.window.cpuMicros, 0)} µs`,
        `${whole(service.throughput)} / ${whole(plain.window.throughput)} per second`,
        `${pair(service.corePercent, plain.window.corePercent, 0)} % of the core`,
        `${pair(service.wakeUps, plain.window.wakeUps, 2)} wake-ups`
      ].join("; "),
  ""
]

/** The CPU time that a server uses per second without requests, in milliseconds. */
const idleMillis = async (server: Server, seconds: number): Promise<number> => {
  const before = cpuSeconds(server)
  await pause(seconds * 1_000)
  return ((cpuSeconds(server) - before) / seconds) * 1_000
}

/** Shows how the ratios depend on concurrency, and on other processes on the core. */
export const measureConcurrency = async (context: Context): Promise<ResultTable> => {
  const { service, plain, rootKey, url, quick, pace } = context
  const serviceServer = await start(service)
  try {
    await timeToFirstResponse(serviceServer, "/healthz")
    const realm = await seedRealm(new Api(`http://127.0.0.1:${serviceServer.port}`, rootKey), url, 51, 1_000)
    await createPlainTables(url)
    const baseline = await start(plain)
    await timeToFirstResponse(baseline, "/healthz")
    const rows: Array<ResultTable["rows"][number]> = []
    const results: Array<CaseResult> = []
    const measure = async (one: Case, connections: number, where: string) => {
      const at: Pace = { ...pace, connections, rounds: 3 }
      const others = [{ server: baseline, next: one.next, target: undefined }]
      const result = await measureCase(one, { server: serviceServer, next: one.next }, others, at)
      results.push(result)
      rows.push(rowOf(`${one.title}, ${connections} at once${where}`, result))
    }
    const idle: Array<string> = []
    for (const server of [serviceServer, baseline]) idle.push((await idleMillis(server, quick ? 3 : 15)).toFixed(1))
    rows.push(["without requests, CPU per second, ms", idle.join(" / "), ""])
    for (const one of casesOf({ small: realm, large: realm, growing: realm })) {
      if (one.name !== "get-user" && one.name !== "create-user") continue
      for (const connections of quick ? [1, 32] : [1, 4, 32, 128]) await measure(one, connections, "")
      await withCompetitor(() => measure(one, 32, ", next to a process on the same core"))
    }
    return { title: "service / plain, by concurrent requests", rows, ...wrongOf(results) }
  } finally {
    await serviceServer.stop("SIGKILL")
  }
}
