import { execFileSync } from "node:child_process"
import { Agent } from "node:http"
import { hash } from "@node-rs/argon2"
import { onServerCpu } from "../harness/CpuAffinity.ts"
import { withClient } from "../harness/Database.ts"
import { memory, type Server } from "../harness/Servers.ts"
import { send } from "../load/HttpClient.ts"
import type { Seeded, SeededRealm } from "../load/Seed.ts"
import { wrongOf } from "../report/ResultTable.ts"
import { countUpdates, type TableUpdates, updatesBetween } from "./HotUpdates.ts"
import { type LoginStorm, loginStorm } from "./LoginStorm.ts"
import { at } from "./OverloadSetup.ts"

/** The throughput of concurrent logins, their cost, and their effect on other requests. */
export interface LoginThroughput {
  readonly connections: number
  /** Password verifications per second of a program that does nothing else, on the same core. */
  readonly hashesPerSecond: number
  /** With a reader that reads at intervals, and with one that never pauses. */
  readonly paced: LoginStorm
  readonly unpaced: LoginStorm
  /** CPU per login outside the hashing threads, in milliseconds, with so few logins at once that none is refused. */
  readonly millisBeyondHash: number
  /** The rows that these logins updated. */
  readonly updates: ReadonlyArray<TableUpdates>
  readonly memoryBefore: number
  readonly memoryPeak: number
  /** The median duration of a refusal of each kind of user, in milliseconds (SEC-14). */
  readonly refusals: Readonly<Record<string, number>>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const PASSWORD = "correct horse battery"
const WRONG = "wrong horse battery"

const hashesPerSecond = (seconds: number): number => {
  const file = new URL("./HashRate.ts", import.meta.url).pathname
  const [command, parameters] = onServerCpu(process.execPath, [file, String(seconds), "2"])
  return Number(execFileSync(command, parameters, { encoding: "utf8" }))
}

/** Sends logins that are refused, one after the other: users with a wrong password, unknown users and inactive users. */
const refusals = async (port: number, realm: SeededRealm, samples: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
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
  agent.destroy()
  return Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, at(all, 0.5)]))
}

/** Milliseconds between two reads: frequent enough to measure, too rare to load the service. */
const READ_EVERY = 10

/** Logins at once that keep both hashing slots busy without filling the queue. */
const FEW = 4

/** Logs users in: first a few at once, then on many connections while another connection reads a session. */
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
    await client.query("vacuum")
  })
  const users = small.users.slice(0, small.users.length - 2 * samples)
  const timed = await refusals(server.port, small, samples)
  const rush = { realm: small, users, password: PASSWORD, seconds }
  await loginStorm(server, { ...rush, seconds: 1, connections: FEW, readEvery: undefined })
  const updatedBefore = await countUpdates(url)
  const few = await loginStorm(server, { ...rush, connections: FEW, readEvery: undefined })
  const updates = updatesBetween(updatedBefore, await countUpdates(url))

  const alone = hashesPerSecond(seconds)
  const memoryBefore = memory(server).resident
  const paced = await loginStorm(server, { ...rush, connections, readEvery: READ_EVERY })
  const unpaced = await loginStorm(server, { ...rush, connections, readEvery: 0 })
  return {
    connections,
    hashesPerSecond: alone,
    paced,
    unpaced,
    millisBeyondHash: (few.otherPercent * 10) / few.loginsPerSecond,
    updates,
    memoryBefore,
    memoryPeak: memory(server).peak,
    refusals: timed,
    ...wrongOf([few, paced, unpaced])
  }
}
