import { hash } from "@node-rs/argon2"
import { Api } from "#testing/Api"
import { everyCore, onEveryCpu, pinProcess, placement } from "../../test/harness/CpuAffinity.ts"
import { postmasterOf, withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { memory, type Program, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { casesOf, post, roundRobin } from "../load/Cases.ts"
import type { Call } from "../load/Load.ts"
import { type CaseResult, measureCase } from "../load/Rounds.ts"
import { seedRealm } from "../load/Seed.ts"
import { type ResultTable, targetVerdict, wrongOf } from "../report/ResultTable.ts"
import { pair, spread } from "../report/Table.ts"
import { type CpuShares, cpuShares, maxSpeedup, totalCost } from "./CpuShares.ts"
import { measureHashRate } from "./HashRateMeasurement.ts"
import type { Context } from "./Scenario.ts"

/**
 * The minimum reads per second of two workers, as a multiple of one worker's, and the minimum share of the hash rate.
 */
const MIN_READS_RATIO = 1.4
const MIN_LOGINS_RATIO = 0.9

const PASSWORD = "correct horse battery"

/** The number of concurrent logins: enough that every hashing slot always has work, and few enough that none is rejected. */
const LOGINS = 12

/** A row with the CPU shares of all parts, for the first and the second measurement. */
const sharesRow = (what: string, first: CpuShares, second: CpuShares): ResultTable["rows"][number] => {
  const part = (pick: (shares: CpuShares) => number) => pair(pick(first), pick(second), 0)
  const parts = [
    `service ${part(({ service }) => service)}`,
    ...(first.hashing > 0 ? [`hashing ${part(({ hashing }) => hashing)}`] : []),
    `load ${part(({ load }) => load)}`,
    ...(first.database === undefined ? [] : [`PostgreSQL ${part(({ database }) => database ?? 0)}`])
  ]
  const wakeUps = pair(first.wakeUps, second.wakeUps, 1)
  return [what, `${parts.join(", ")}; wake-ups ${wakeUps}; idle ${part(({ idlePercent }) => idlePercent)} %`, ""]
}

/** Compares two workers with one. The load and PostgreSQL share all cores with them. */
export const measureWorkers = async (context: Context): Promise<ResultTable> => {
  const { service, rootKey, url, ownsPostgres, quick, pace } = context
  const postmaster = ownsPostgres ? await postmasterOf(url) : undefined
  const move = (load: string | undefined, database: string | undefined) => {
    pinProcess(load)
    if (postmaster !== undefined) pinProcess(database, postmaster)
  }
  const withWorkers = (count: number): Program => ({
    ...service,
    name: count === 1 ? "one worker" : `${count} workers`,
    environment: { ...service.environment, SALLYPORT_WORKERS: String(count) },
    usesAllCores: true
  })
  move(everyCore, everyCore)
  const two = await start(withWorkers(2))
  const one = await start(withWorkers(1))
  try {
    for (const server of [two, one]) await timeToFirstResponse(server, "/readyz")
    const idle = [two, one].map((server) => memory(server).resident)
    const realm = await seedRealm(new Api(`http://127.0.0.1:${one.port}`, rootKey), url, 41, 1_000)
    const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await withClient(url, async (client) => {
      await client.query("update credentials set password_hash = $1 where realm_id = $2", [stored, realm.id])
      await client.query("vacuum analyze")
    })
    const reads: Array<CaseResult> = []
    const shares: Array<{ readonly title: string; readonly two: CpuShares; readonly one: CpuShares }> = []
    const { connections, window } = pace
    const sharesOf = (server: Server, next: () => Call) =>
      cpuShares(server, postmaster, next, { connections, millis: window })
    for (const each of casesOf({ small: realm, large: realm, growing: realm })) {
      if (!["get-user", "get-session", "list-first-1k"].includes(each.name)) continue
      const others = [{ server: one, next: each.next, target: undefined }]
      reads.push(await measureCase(each, { server: two, next: each.next }, others, pace))
      const { title, next } = each
      shares.push({ title, two: await sharesOf(two, next), one: await sharesOf(one, next) })
    }
    const login = roundRobin(realm.users, (id) => ({
      request: post(realm, `/v2/users/${id}/authenticate`, { user: { password: PASSWORD } }),
      status: 200,
      expectedTexts: [`"id":"${id}"`]
    }))
    const seconds = quick ? 4 : 15
    const rateBefore = measureHashRate(onEveryCpu, seconds)
    const loginLoad = { connections: LOGINS, millis: seconds * 1_000 }
    const logins = {
      two: await cpuShares(two, postmaster, login, loginLoad),
      one: await cpuShares(one, postmaster, login, loginLoad)
    }
    const rateAfter = measureHashRate(onEveryCpu, seconds)
    const hashes = (rateBefore.perSecond + rateAfter.perSecond) / 2
    const hashMicros = rateBefore.userMillis * 1_000 + rateBefore.systemMillis * 1_000
    const { perSecond } = logins.two
    return {
      title: `two workers and one, ${everyCore === undefined ? "" : `on cores ${everyCore}, `}load and PostgreSQL on the same cores`,
      rows: [
        ...reads.map(({ title, service, others: [other] }): ResultTable["rows"][number] => [
          `${title}, requests per second, two / one`,
          other === undefined
            ? ""
            : `${spread(other.throughputRatio, 2)}; ${whole(service.throughput)} / ${whole(other.window.throughput)}`,
          targetVerdict((other?.throughputRatio.median ?? 0) >= MIN_READS_RATIO, `≥ ${MIN_READS_RATIO}`)
        ]),
        ...shares.flatMap(({ title, two, one }): ResultTable["rows"] => [
          [`${title}: limit by CPU, two / one`, maxSpeedup(one).toFixed(2), ""],
          sharesRow(`${title}: CPU per request, µs, two / one`, two, one)
        ]),
        ["hashes per second, alone", hashes.toFixed(0), ""],
        [
          "logins per second, two workers; share",
          `${perSecond.toFixed(0)}; ${(perSecond / hashes).toFixed(2)}`,
          targetVerdict(perSecond >= MIN_LOGINS_RATIO * hashes, `≥ ${MIN_LOGINS_RATIO}`)
        ],
        [
          "logins per second, one worker; share",
          `${logins.one.perSecond.toFixed(0)}; ${(logins.one.perSecond / hashes).toFixed(2)}`,
          ""
        ],
        [
          "share of the hash rate that the CPU allows, two / one",
          pair(hashMicros / totalCost(logins.two), hashMicros / totalCost(logins.one), 2),
          ""
        ],
        sharesRow("login: CPU each, µs, two / one", logins.two, logins.one),
        ["resident memory, started, MiB, two / one", pair(idle[0] ?? 0, idle[1] ?? 0, 0), ""],
        ["resident memory, peak, MiB, two / one", pair(memory(two).peak, memory(one).peak, 0), ""]
      ],
      ...wrongOf([...reads, ...shares.flatMap(({ two, one }) => [two, one]), logins.two, logins.one])
    }
  } finally {
    for (const server of [two, one]) await server.stop("SIGKILL")
    move(placement.load, placement.database)
  }
}
