import { Agent } from "node:http"
import { send } from "../../test/harness/HttpClient.ts"
import { cpuSeconds, hashingSeconds, type Server } from "../../test/harness/Servers.ts"
import { pause } from "../load/OpenLoop.ts"
import type { SeededRealm } from "../load/Seed.ts"
import { quantileOf } from "./OverloadSetup.ts"

/** The results of logins on many connections, and of reads on another connection at the same time. */
export interface LoginStorm {
  readonly loginsPerSecond: number
  /** The number of logins that got 503 and were retried. */
  readonly shed: number
  readonly readsPerSecond: number
  /** The latency of reads in milliseconds. */
  readonly readP50: number
  readonly readP99: number
  /** The percentages of one core used by hashing, and by everything else in the server. */
  readonly hashingPercent: number
  readonly otherPercent: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/**
 * The users who log in, and the number of connections. `readEvery`: the milliseconds between two reads. With 0, the
 * reader never pauses. If undefined, there is no reader.
 */
export interface Rush {
  readonly realm: SeededRealm
  readonly users: ReadonlyArray<string>
  readonly password: string
  readonly connections: number
  readonly seconds: number
  readonly readEvery: number | undefined
}

/** Logs users in on many connections. After a 503, each connection waits for the requested time. */
export const loginStorm = async (server: Server, rush: Rush): Promise<LoginStorm> => {
  const { realm, users, password, connections, seconds, readEvery } = rush
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const reader = new Agent({ keepAlive: true, maxSockets: 1 })
  const counts = { done: 0, shed: 0, wrong: 0 }
  const reads: Array<number> = []
  let firstWrong: string | undefined
  const fail = (status: number, text: string) => {
    counts.wrong++
    firstWrong ??= `${status} ${text.slice(0, 200)}`
  }
  let next = 0
  const cpu = { all: cpuSeconds(server), hashing: hashingSeconds(server) }
  const began = performance.now()
  const left = () => seconds * 1_000 - (performance.now() - began)
  const logIn = async () => {
    while (left() > 0) {
      const path = `/v2/users/${users[next++ % users.length]}/authenticate`
      const options = { agent, port: server.port, key: realm.key, method: "POST", path }
      const { status, text, retryAfter } = await send({ ...options, body: { user: { password } } })
      if (status === 200) counts.done++
      else if (status === 503) {
        counts.shed++
        await pause(Math.min(retryAfter * 1_000, Math.max(0, left())))
      } else fail(status, text)
    }
  }
  const read = async (every: number) => {
    for (let n = 0; left() > 0; n++) {
      const path = `/v2/sessions/${realm.sessions[n % users.length]}`
      const options = { agent: reader, port: server.port, key: realm.key, method: "GET", path }
      const { status, text, millis } = await send(options)
      if (status === 200) reads.push(millis)
      else fail(status, text)
      if (every > 0) await pause(every)
    }
  }
  const reading = readEvery === undefined ? [] : [read(readEvery)]
  await Promise.all([...Array.from({ length: connections }, logIn), ...reading])
  const elapsed = (performance.now() - began) / 1_000
  const hashing = hashingSeconds(server) - cpu.hashing
  const all = cpuSeconds(server) - cpu.all
  agent.destroy()
  reader.destroy()
  return {
    loginsPerSecond: counts.done / elapsed,
    shed: counts.shed,
    readsPerSecond: reads.length / elapsed,
    readP50: quantileOf(reads, 0.5),
    readP99: quantileOf(reads, 0.99),
    hashingPercent: (hashing / elapsed) * 100,
    otherPercent: ((all - hashing) / elapsed) * 100,
    wrong: counts.wrong,
    firstWrong
  }
}
