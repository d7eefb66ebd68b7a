import { Agent } from "node:http"
import { hash } from "@node-rs/argon2"
import { onServerCpu } from "../../test/harness/CpuAffinity.ts"
import { withClient } from "../../test/harness/Database.ts"
import { send } from "../../test/harness/HttpClient.ts"
import { memory, type Program, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import type { Seeded, SeededRealm } from "../load/Seed.ts"
import { wrongOf } from "../report/ResultTable.ts"
import { type HashRate, measureHashRate } from "./HashRateMeasurement.ts"
import { countUpdates, type TableUpdates, updatesBetween } from "./HotUpdates.ts"
import { type LoginCost, loginCost } from "./LoginCost.ts"
import { type LoginStorm, loginStorm } from "./LoginStorm.ts"
import { quantileOf } from "./OverloadSetup.ts"

/** The throughput of concurrent logins, their cost, and their effect on other requests. */
export interface LoginThroughput {
  readonly connections: number
  /** The rate of a program that does nothing but hash, on the same core. */
  readonly alone: HashRate
  /** The results with a reader that pauses between reads, and with a reader that never pauses. */
  readonly paced: LoginStorm
  readonly unpaced: LoginStorm
  /** The cost of a login with the service's own hashes, in the service and in the plain server. */
  readonly cost: LoginCost
  readonly plainCost: LoginCost
  /** The cost in the service with very cheap hashes, which don't evict data from the caches. */
  readonly cheapCost: LoginCost
  /** The rows that these logins updated. */
  readonly updates: ReadonlyArray<TableUpdates>
  readonly memoryBefore: number
  readonly memoryPeak: number
  /** The median duration of a failed login for each kind of user, in milliseconds (SEC-14). */
  readonly refusals: Readonly<Record<string, number>>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const PASSWORD = "correct horse battery"
const WRONG = "wrong horse battery"

const program = new URL("../harness/CheapHashes.ts", import.meta.url).pathname

/** Gives all users the same password hash, both in the service's tables and in the plain server's. */
const storePassword = async (url: string, realmId: string, parameters: Parameters<typeof hash>[1]): Promise<void> => {
  const stored = await hash(PASSWORD, parameters)
  await withClient(url, async (client) => {
    await client.query("update credentials set password_hash = $1 where realm_id = $2", [stored, realmId])
    await client.query("update plain.users set password_hash = $1 where realm_id = $2", [stored, realmId])
    await client.query("vacuum")
  })
}

/** Measures logins on a server started for this purpose. */
const costOf = async (server: Promise<Server>, realm: SeededRealm, users: ReadonlyArray<string>, seconds: number) => {
  const started = await server
  await timeToFirstResponse(started, "/healthz")
  const cost = await loginCost(started, realm, users, { password: PASSWORD, seconds, warmUp: seconds })
  await started.stop("SIGKILL")
  return cost
}

/** Sends failing logins one after the other: of users with a wrong password, of unknown users and of inactive users. */
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
      if (status !== 422) throw new Error(`A failed login (${kind}) returned ${status}.`)
      times[kind]?.push(millis)
    }
  }
  agent.destroy()
  return Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, quantileOf(all, 0.5)]))
}

/** The milliseconds between two reads: frequent enough for a measurement, but too rare to load the service. */
const READ_EVERY = 10

/**
 * First, users log in on many connections while another connection reads a session. Then they log in a few at a time,
 * once the code is warm. The latter is repeated on the plain server, and on the service with very cheap hashes.
 */
export const measureLoginThroughput = async (
  { service, plain }: { readonly service: Program; readonly plain: Program },
  { small }: Seeded,
  url: string,
  {
    connections,
    seconds,
    samples
  }: { readonly connections: number; readonly seconds: number; readonly samples: number }
): Promise<LoginThroughput> => {
  const inactive = small.users.slice(-samples)
  const users = small.users.slice(0, small.users.length - 2 * samples)
  await storePassword(url, small.id, { memoryCost: 512, timeCost: 1, parallelism: 1 })
  const cheap = { ...service, name: "cheap hashes", file: program }
  const cheapCost = await costOf(start(cheap), small, users, seconds)

  await storePassword(url, small.id, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await withClient(url, (client) =>
    client.query("update users set state = 'inactive' where realm_id = $1 and id = any($2)", [small.id, inactive])
  )
  const server = await start(service)
  await timeToFirstResponse(server, "/healthz")
  const timed = await refusals(server.port, small, samples)
  const rush = { realm: small, users, password: PASSWORD, seconds, connections }
  await loginStorm(server, { ...rush, seconds: 1, readEvery: undefined })
  const alone = measureHashRate(onServerCpu, seconds)
  const memoryBefore = memory(server).resident
  const paced = await loginStorm(server, { ...rush, readEvery: READ_EVERY })
  const unpaced = await loginStorm(server, { ...rush, readEvery: 0 })
  const memoryPeak = memory(server).peak

  const updatedBefore = await countUpdates(url)
  const cost = await loginCost(server, small, users, { password: PASSWORD, seconds, warmUp: 1 })
  const updates = updatesBetween(updatedBefore, await countUpdates(url))
  await server.stop("SIGKILL")
  const plainCost = await costOf(start(plain), small, users, seconds)
  return {
    connections,
    alone,
    paced,
    unpaced,
    cost,
    plainCost,
    cheapCost,
    updates,
    memoryBefore,
    memoryPeak,
    refusals: timed,
    ...wrongOf([cost, plainCost, cheapCost, paced, unpaced])
  }
}
