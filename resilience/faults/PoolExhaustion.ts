import { setTimeout } from "node:timers/promises"
import { type Client, DatabaseError } from "pg"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"

import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { startCrowd } from "./Crowd.ts"
import { type FaultContext, runWithLedger } from "./LedgerRun.ts"
import { type ProbeResults, probeUntil } from "./Probes.ts"
import { type ReadResults, readUntil } from "./Readers.ts"
import type { Outcome, Scenario, Setting } from "./Scenario.ts"
import { inSeconds, spread } from "./Times.ts"

/** The number of concurrent callers, and their maximum pause after a response, in milliseconds. */
const CALLERS = 1_000
const PAUSE = 4_000

/** How long connections are held, and the time before and after, in milliseconds. */
const HELD = 12_000
const BESIDE = 3_000

/**
 * The maximum duration of a health check (HAProxy's setting), and of a read of another realm while only writes are
 * blocked, in milliseconds.
 */
const HEALTH_BOUND = 3_000
const READ_BOUND = 3_000

/** The maximum time from the release to the next acknowledged change, in milliseconds. */
const RECOVERY_BOUND = 5_000

/** The table locks. Each statement that waits for one occupies a connection. */
const holds = {
  writes: "lock table orgs in exclusive mode",
  "reads and writes": "lock table orgs, users in access exclusive mode"
}

/** The SQLSTATE of a transaction that PostgreSQL aborted because of a deadlock. */
const DEADLOCK = "40P01"

/** A serialized request. */
const requestOf = (method: string, path: string, key: string, body?: object) => {
  const text = body === undefined ? "" : JSON.stringify(body)
  const head = [`${method} ${path} HTTP/1.1`, "Host: faults.test", `Authorization: Bearer ${key}`, "Connection: close"]
  const content = text === "" ? [] : ["Content-Type: application/json", `Content-Length: ${text.length}`]
  return [...head, ...content, "", text].join("\r\n")
}

/** A realm with a key and some users. */
const newRealm = async ({ nodes, rootKey }: FaultContext, name: string) => {
  const root = new Api(`http://127.0.0.1:${nodes.ports[0]}`, rootKey)
  const { id } = await root.post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  const key = await root.post("/v2/api_keys", { api_key: { name, level: "write", realm_id: id } })
  const users: Array<string> = []
  for (let n = 0; n < 8; n++) {
    const user = { email: `${n}@example.test`, credentials: [] }
    users.push((await root.post(`/v2/users?realm_id=${id}`, { user })).id)
  }
  return { key: key.string("key"), users }
}

/** Returns the problems in a group of responses. */
const wrong = (
  who: string,
  { statuses, millis }: ProbeResults | ReadResults,
  right: ReadonlyArray<string>,
  bound: number
) => [
  ...[...statuses].flatMap(([status, count]) => (right.includes(status) ? [] : [`${count} ${who}: ${status}.`])),
  ...(Math.max(0, ...millis) > bound ? [`The slowest of the ${who} took ${inSeconds(Math.max(...millis))}.`] : [])
]

const inWords = (statuses: Iterable<readonly [string, number]>) =>
  [...statuses].map(([status, count]) => `${status}: ${whole(count)}`).join(", ")

/**
 * Locks the tables until the transaction ends. A writer that locks tables in another order may cause a deadlock. In
 * that case, retries.
 */
const hold = async (client: Client, what: keyof typeof holds): Promise<void> => {
  for (;;) {
    try {
      await client.query(`begin; ${holds[what]}`)
      return
    } catch (cause) {
      await client.query("rollback")
      if (!(cause instanceof DatabaseError) || cause.code !== DEADLOCK) throw cause
    }
  }
}

/** Holds connections while a crowd arrives. */
const exhaust = async (
  setting: Setting,
  load: FaultContext,
  url: string,
  what: keyof typeof holds
): Promise<Outcome> => {
  const { nodes, progress } = load
  const [busy, other] = [await newRealm(load, "Crowd"), await newRealm(load, "Other")]
  const over = new AbortController()
  const probing = probeUntil(over.signal, nodes.ports, "/healthz")
  const reading = readUntil(over.signal, { ...load, ...other })
  const crowd = await withClient(url, async (client) => {
    await hold(client, what)
    setting.logProgress(`${what} are blocked; ${whole(CALLERS)} callers arrive at once`)
    const write = requestOf("POST", "/v2/orgs", busy.key, { org: { name: "Crowd" } })
    const crowdStart = startCrowd({
      seed: setting.seed,
      ports: nodes.ports,
      callers: CALLERS,
      requests: [write, write, write, requestOf("GET", `/v2/users/${busy.users[0]}`, busy.key)],
      pause: PAUSE
    })
    await setTimeout(HELD)
    await client.query("commit")
    return crowdStart
  })
  const released = performance.now()
  await progress.nextAnswer()
  const recovered = performance.now() - released
  await setTimeout(BESIDE)
  const responses = await crowd.stop()
  over.abort()
  const [probed, reads] = await Promise.all([probing, reading])
  const rightReads = what === "writes" ? ["200"] : ["200", "503"]
  const unanswered = responses.statuses.filter(([status]) => !["200", "201", "503"].includes(status))
  return {
    figures: [
      [`${what} blocked: the crowd's responses`, inWords(responses.statuses)],
      ["their duration: median, 99 %, slowest", spread(responses.millis)],
      ["health checks", inWords(probed.statuses)],
      ["these: median, 99 %, slowest", spread(probed.millis)],
      ["reads of another realm", inWords(reads.statuses)],
      ["these: median, 99 %, slowest", spread(reads.millis)],
      ["from the release to the next acknowledged change", inSeconds(recovered)]
    ],
    broken: [
      ...unanswered.map(([status, count]) => `${count} of the crowd: ${status}.`),
      ...(responses.missingRetryAfter === 0
        ? []
        : [`${responses.missingRetryAfter} responses of 503 had no Retry-After.`]),
      ...(responses.statuses.some(([status]) => status === "503")
        ? []
        : ["No request was rejected: nothing was exhausted."]),
      ...wrong("health checks", probed, ["200"], HEALTH_BOUND),
      ...wrong("reads of another realm", reads, rightReads, what === "writes" ? READ_BOUND : Number.POSITIVE_INFINITY),
      ...(recovered > RECOVERY_BOUND ? [`It took ${inSeconds(recovered)} to work again.`] : [])
    ]
  }
}

const run = async (setting: Setting) => {
  const postgres = await startCrashablePostgres()
  try {
    return await runWithLedger(setting, postgres.url, async (load) => {
      const { progress } = load
      await progress.reaches(progress.events + 200)
      const writes = await exhaust(setting, load, postgres.url, "writes")
      await progress.reaches(progress.events + 100)
      const all = await exhaust(setting, load, postgres.url, "reads and writes")
      await progress.reaches(progress.events + 100)
      return { figures: [...writes.figures, ...all.figures], broken: [...writes.broken, ...all.broken] }
    })
  } finally {
    await postgres.remove()
  }
}

/** All database connections are held, and a thousand callers arrive at once, each with a new connection. */
export const poolExhaustion: Scenario = {
  name: "pool-exhaustion",
  row: "RG-08",
  promise:
    "health checks and another realm's reads within 3 seconds; a response for all, or 503 with Retry-After; works again within 5 seconds",
  run
}
