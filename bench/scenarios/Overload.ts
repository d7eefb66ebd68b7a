import { setPriority } from "node:os"
import { Api } from "#testing/Api"
import { firstAnswer, memory, type Program, type Server, start } from "../harness/Servers.ts"
import { get, post } from "../load/Cases.ts"
import { type Call, Connection, open } from "../load/Load.ts"
import { passwordHash, seedRealm } from "../load/Seed.ts"

/** What happens when more comes than can be done, or much of one account at once. */
export interface Crowd {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [what: string, figure: string, target: string]>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const at = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const pause = (millis: number) => new Promise((resume) => setTimeout(resume, millis))

/** Calls that come when they come, whether or not those before were answered: each on an idle connection, or a new one. */
const openLoop = (port: number, perSecond: number, next: () => Call) => {
  const idle: Array<Connection> = []
  const done: Array<number> = []
  const shed: Array<number> = []
  const counts: { wrong: number; connections: number; firstWrong: string | undefined } = {
    wrong: 0,
    connections: 0,
    firstWrong: undefined
  }
  const send = async (due: number) => {
    const connection = idle.pop() ?? new Connection(port)
    const problem = await connection.send(next())
    const millis = performance.now() - due
    if (problem === undefined) done.push(millis)
    else if (problem.startsWith("503")) shed.push(millis)
    else {
      counts.wrong += 1
      counts.firstWrong ??= problem
    }
    if (!connection.socket.destroyed) idle.push(connection)
  }
  const run = async (seconds: number) => {
    const began = performance.now()
    const all = Math.floor(seconds * perSecond)
    const answers: Array<Promise<void>> = []
    for (let sent = 0; sent < all; ) {
      const due = Math.min(all, Math.floor(((performance.now() - began) / 1_000) * perSecond))
      for (; sent < due; sent++) answers.push(send(began + ((sent + 1) / perSecond) * 1_000))
      await pause(1)
    }
    await Promise.all(answers)
    const elapsed = (performance.now() - began) / 1_000
    for (const { socket } of idle) socket.destroy()
    return { done, shed, elapsed, ...counts }
  }
  return run
}

const within = (isMet: boolean, target: string) => `${isMet ? "met" : "missed"}: ${target}`

const prepared = async (program: Program, rootKey: string, url: string, number: number) => {
  const server = await start(program)
  await firstAnswer(server, "/healthz")
  const api = new Api(`http://127.0.0.1:${server.port}`, rootKey)
  const busy = await seedRealm(api, url, number, 1_000)
  const other = await seedRealm(api, url, number + 1, 1_000)
  const read = (n: number): Call => {
    const id = other.users[n % other.users.length] ?? ""
    return { request: get(other, `/v2/users/${id}`), status: 200, holds: [`{"id":"${id}"`] }
  }
  let reads = 0
  return { server, busy, other, nextRead: () => read(reads++) }
}

const READS_PER_SECOND = 50

/** The load's own lateness is none of the service's: where it may, it goes before PostgreSQL, whose core it shares. */
const prioritize = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // Only root may: then the figures hold what the load itself is late.
  }
}

/** Twice the writes that the database takes, for so many seconds, and what another caller sees of it. */
export const measureOverload = async (
  program: Program,
  rootKey: string,
  url: string,
  seconds: number
): Promise<Crowd> => {
  const { server, busy, nextRead } = await prepared(program, rootKey, url, 11)
  try {
    let made = 0
    const nextWrite = (): Call => {
      const email = `crowd${made++}@example.test`
      const credentials = [{ credential_type: "password", password_hash: passwordHash }]
      return { request: post(busy, "/v2/users", { user: { email, credentials } }), status: 201, holds: [email] }
    }
    const load = open(server.port, 32)
    await load.run(2_000, nextWrite)
    const alone = await load.run(4_000, nextWrite)
    load.close()
    const capacity = alone.latencies.length / alone.seconds
    prioritize(-15)
    const quiet = await openLoop(server.port, READS_PER_SECOND, nextRead)(3)
    const [writes, reads] = await Promise.all([
      openLoop(server.port, 2 * capacity, nextWrite)(seconds),
      openLoop(server.port, READS_PER_SECOND, nextRead)(seconds)
    ])
    prioritize(0)
    const { peak } = memory(server)
    const [last503, p99] = [at(writes.shed, 1), at(reads.done, 0.99)]
    return {
      title: `twice the writes that are taken, for ${seconds} s`,
      rows: [
        ["create user, 32 connections in a closed loop, a second", capacity.toFixed(0), ""],
        ["create user, open loop, asked for a second", (2 * capacity).toFixed(0), ""],
        ["done a second", (writes.done.length / writes.elapsed).toFixed(0), ""],
        ["of these p50 / p99, ms", `${at(writes.done, 0.5).toFixed(0)} / ${at(writes.done, 0.99).toFixed(0)}`, ""],
        ["told to come back (503)", String(writes.shed.length), ""],
        ["of these p50 / p99, ms", `${at(writes.shed, 0.5).toFixed(0)} / ${at(writes.shed, 0.99).toFixed(0)}`, ""],
        ["the latest of these, ms", last503.toFixed(0), within(!(last503 > 3_000), "≤ 3,000")],
        [
          "another caller's reads before, p50 / p99, ms",
          `${at(quiet.done, 0.5).toFixed(1)} / ${at(quiet.done, 0.99).toFixed(1)}`,
          ""
        ],
        [
          "another caller's reads meanwhile, p50 / p99, ms",
          `${at(reads.done, 0.5).toFixed(1)} / ${p99.toFixed(1)}`,
          within(p99 <= 100, "p99 ≤ 100")
        ],
        ["reads told to come back", String(reads.shed.length), within(reads.shed.length === 0, "none")],
        ["resident memory, peak, MiB", String(peak), within(peak <= 400, "≤ 400")]
      ],
      wrong: writes.wrong + reads.wrong,
      firstWrong: writes.firstWrong ?? reads.firstWrong
    }
  } finally {
    await server.stop("SIGKILL")
  }
}

const LOGINS = 50

const rounds = async (server: Server, count: number, login: () => Call, nextRead: () => Call) => {
  const reads: Array<number> = []
  const connections = Array.from({ length: LOGINS }, () => new Connection(server.port))
  const reader = new Connection(server.port)
  let problem: string | undefined
  for (let round = 0; round < count; round++) {
    let over = false
    const rush = Promise.all(connections.map((connection) => connection.send(login()))).then((answers) => {
      over = true
      problem ??= answers.find((answer) => answer !== undefined && !/^(201|422|429)/.test(answer))
    })
    while (!over) {
      const began = performance.now()
      problem ??= await reader.send(nextRead())
      reads.push(performance.now() - began)
      await pause(5)
    }
    await rush
  }
  for (const { socket } of [...connections, reader]) socket.destroy()
  return { reads, problem }
}

/** Many logins of one account at once, against as many of different ones: what another caller's read takes meanwhile. */
export const measureOneAccount = async (
  program: Program,
  rootKey: string,
  url: string,
  count: number
): Promise<Crowd> => {
  const { server, busy, nextRead } = await prepared(program, rootKey, url, 13)
  try {
    let turn = 0
    const of = (user: () => string) => (): Call => {
      const path = `/v2/users/${user()}/authenticate`
      return { request: post(busy, path, { user: { password: "wrong horse battery" } }), status: 422, holds: [] }
    }
    const one = of(() => busy.users[round] ?? "")
    const many = of(() => busy.users[500 + (turn++ % 450)] ?? "")
    let round = 0
    const quiet = await openLoop(server.port, 100, nextRead)(3)
    const spread = await rounds(server, Math.ceil(count / 4), many, nextRead)
    const found: Array<number> = []
    let problem = spread.problem
    for (; round < count; round++) {
      const { reads, problem: wrong } = await rounds(server, 1, one, nextRead)
      found.push(...reads)
      problem ??= wrong
    }
    const [before, beside, meanwhile] = [at(quiet.done, 0.5), at(spread.reads, 0.5), at(found, 0.5)]
    return {
      title: `${LOGINS} logins of one account at once, ${count} times`,
      rows: [
        ["another caller's read, nothing else, p50, ms", before.toFixed(2), ""],
        [`beside ${LOGINS} logins of as many accounts, p50, ms`, beside.toFixed(2), ""],
        [`beside ${LOGINS} logins of one account, p50, ms`, meanwhile.toFixed(2), ""],
        ["p99, ms", at(found, 0.99).toFixed(1), ""],
        ["of one account, × of as many", (meanwhile / beside).toFixed(2), within(meanwhile <= 1.5 * beside, "≤ 1.5")]
      ],
      wrong: problem === undefined ? 0 : 1,
      firstWrong: problem
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
