import { execFileSync } from "node:child_process"
import { Agent } from "node:http"
import { hash } from "@node-rs/argon2"
import { onServerCpu } from "../harness/CpuAffinity.ts"
import { withClient } from "../harness/Database.ts"
import { memory, type Server } from "../harness/Servers.ts"
import { send } from "../load/HttpClient.ts"
import type { Seeded, SeededRealm } from "../load/Seed.ts"

/** The throughput of concurrent logins, and their effect on other requests. */
export interface LoginThroughput {
  readonly connections: number
  /** Password verifications per second of a program that does nothing else, on the same core. */
  readonly hashesPerSecond: number
  readonly loginsPerSecond: number
  /** Logins that were answered 503 and retried. */
  readonly shed: number
  readonly wrong: number
  readonly firstWrong: string | undefined
  /** The latency of reads meanwhile, in milliseconds. */
  readonly readP50: number
  readonly readP99: number
  readonly memoryBefore: number
  readonly memoryPeak: number
  /** The median duration of a refusal of each kind of user, in milliseconds (SEC-14). */
  readonly refusals: Readonly<Record<string, number>>
}

const PASSWORD = "correct horse battery"
const WRONG = "wrong horse battery"

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const hashesPerSecond = (seconds: number): number => {
  const file = new URL("./HashRate.ts", import.meta.url).pathname
  const [command, parameters] = onServerCpu(process.execPath, [file, String(seconds), "2"])
  return Number(execFileSync(command, parameters, { encoding: "utf8" }))
}

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Sends logins that are refused, one after the other: users with a wrong password, unknown users and inactive users. */
const refusals = async (agent: Agent, port: number, realm: SeededRealm, samples: number) => {
  const users = realm.users.slice(-2 * samples)
  const times: Record<string, Array<number>> = { "wrong password": [], unknown: [], inactive: [] }
  for (let n = 0; n < samples; n++) {
    for (const [kind, name] of [
      ["wrong password", users[n]],
      ["unknown", `nobody${n}@example.test`],
      ["inactive", users[samples + n]]
    ] as const) {
      const path = `/v2/users/${name}/authenticate`
      const options = { agent, port, key: realm.key, method: "POST", path }
      const { status, millis } = await send({ ...options, body: { user: { password: WRONG } } })
      if (status !== 422) throw new Error(`A refusal of ${kind} was ${status}.`)
      times[kind]?.push(millis)
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([kind, all]) => [
      kind,
      at(
        all.sort((a, b) => a - b),
        0.5
      )
    ])
  )
}

/** Milliseconds between two reads: frequent enough to measure, too rare to load the service. */
const READ_EVERY = 10

/** Logs users in on many connections while another connection reads a session at intervals. */
export const measureLoginThroughput = async (
  server: Server,
  { small }: Seeded,
  url: string,
  {
    connections,
    seconds,
    samples
  }: { readonly connections: number; readonly seconds: number; readonly samples: number }
): Promise<LoginThroughput> => {
  const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const inactive = small.users.slice(-samples)
  await withClient(url, async (client) => {
    await client.query("update credentials set password_hash = $1 where realm_id = $2", [stored, small.id])
    await client.query("update users set state = 'inactive' where realm_id = $1 and id = any($2)", [small.id, inactive])
  })
  const users = small.users.slice(0, small.users.length - 2 * samples)
  const agent = new Agent({ keepAlive: true, maxSockets: connections + 1 })
  const reader = new Agent({ keepAlive: true, maxSockets: 1 })
  const timed = await refusals(reader, server.port, small, samples)

  const alone = hashesPerSecond(seconds)
  const memoryBefore = memory(server).resident
  const [counts, reads] = [{ done: 0, shed: 0, wrong: 0 }, new Array<number>()]
  let firstWrong: string | undefined
  let next = 0
  const began = performance.now()
  const isOver = () => performance.now() - began >= seconds * 1_000
  const loggingIn = async () => {
    while (!isOver()) {
      const user = users[next++ % users.length]
      const path = `/v2/users/${user}/authenticate`
      const options = { agent, port: server.port, key: small.key, method: "POST", path }
      const { status, text, retryAfter } = await send({ ...options, body: { user: { password: PASSWORD } } })
      if (status === 200) counts.done++
      else if (status === 503) {
        counts.shed++
        await wait(Math.min(retryAfter * 1_000, Math.max(0, seconds * 1_000 - (performance.now() - began))))
      } else {
        counts.wrong++
        firstWrong ??= `${status} ${text.slice(0, 200)}`
      }
    }
  }
  const reading = async () => {
    for (let n = 0; !isOver(); n++) {
      const path = `/v2/sessions/${small.sessions[n % users.length]}`
      const { status, millis } = await send({
        agent: reader,
        port: server.port,
        key: small.key,
        method: "GET",
        path
      })
      if (status === 200) reads.push(millis)
      else counts.wrong++
      await wait(READ_EVERY)
    }
  }
  await Promise.all([...Array.from({ length: connections }, loggingIn), reading()])
  const elapsed = (performance.now() - began) / 1_000
  agent.destroy()
  reader.destroy()
  reads.sort((a, b) => a - b)
  return {
    connections,
    hashesPerSecond: alone,
    loginsPerSecond: counts.done / elapsed,
    shed: counts.shed,
    wrong: counts.wrong,
    firstWrong,
    readP50: at(reads, 0.5),
    readP99: at(reads, 0.99),
    memoryBefore,
    memoryPeak: memory(server).peak,
    refusals: timed
  }
}
