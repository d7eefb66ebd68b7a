import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { Api } from "#testing/Api"
import { whole } from "../../test/harness/Figures.ts"
import { memory, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"

import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { startReceiver } from "../chaos/Receiver.ts"
import { makeWriterRealm } from "../chaos/WriterRealm.ts"
import { readUntil, statusSummary } from "./Readers.ts"
import { NotPossibleHere, type Scenario, type Setting } from "./Scenario.ts"
import { type ClientPorts, startSlowClients, type Way, ways } from "./SlowClients.ts"
import { inSeconds, quantile, spread } from "./Times.ts"

const COUNTS: Readonly<Record<Way, number>> = {
  "slow headers": 800,
  "slow bodies": 800,
  "not a word": 400,
  "unread responses": 200,
  "idle after a response": 1_000
}

/** The seconds after which a connection must be closed, including the time to notice it. */
const LIMITS: Readonly<Record<Way, number>> = {
  "slow headers": 10 + 5,
  "slow bodies": 30 + 5,
  "not a word": 10 + 5,
  "unread responses": 65 + 1,
  "idle after a response": 65 + 1
}

/**
 * Additional seconds for a busy machine to accept all connections. A process accepts one connection per turn of its
 * event loop (C246).
 */
const SLACK = 20

/** How long reads are measured beforehand, in milliseconds. */
const BEFORE = 15_000

/** The maximum slowdown of the slowest 1 % of reads, and the duration that is acceptable in any case, in milliseconds. */
const MAX_SLOWDOWN = 2
const ACCEPTABLE_MILLIS = 250

/** The maximum memory that all slow clients may use together, in MiB. */
const MEMORY = 200

const TABLE = "/proc/net/tcp"
const ESTABLISHED = "01"

/** Counts the server's open connections by way, according to the operating system. */
const openOf = ({ port }: Server, clients: ClientPorts) => {
  const open = new Map<Way, number>()
  for (const line of readFileSync(TABLE, "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", state] = line.trim().split(/\s+/)
    const portIn = (address: string) => Number.parseInt(address.split(":")[1] ?? "", 16)
    const way = portIn(local) === port && state === ESTABLISHED ? clients.get(portIn(remote)) : undefined
    if (way !== undefined) open.set(way, (open.get(way) ?? 0) + 1)
  }
  return open
}

/** Waits until a server has closed all connections. Returns the seconds until the connections of each way were closed. */
const closings = async (server: Server, clients: ClientPorts) => {
  const began = performance.now()
  const closed = new Map<Way, number>()
  const longest = Math.max(...Object.values(LIMITS)) + SLACK
  while (closed.size < ways.length && performance.now() - began < longest * 1_000) {
    await setTimeout(250)
    const open = openOf(server, clients)
    for (const way of ways) if (!open.has(way) && !closed.has(way)) closed.set(way, (performance.now() - began) / 1_000)
  }
  return closed
}

const run = async ({ seed, file, logProgress }: Setting) => {
  if (!existsSync(TABLE)) throw new NotPossibleHere(`Listing connections requires ${TABLE}.`)
  const postgres = await startCrashablePostgres()
  const receiver = await startReceiver(seed)
  try {
    const rootKey = randomBytes(24).toString("hex")
    const environment = {
      DATABASE_URL: postgres.url,
      SALLYPORT_ROOT_KEY: rootKey,
      SALLYPORT_SECRET: randomBytes(24).toString("hex"),
      SALLYPORT_PUBLIC_URL: "http://faults.test",
      SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
      SALLYPORT_LIMITS: "off"
    }
    const server = await start({ name: "sallyport", file, environment, usesAllCores: true })
    await timeToFirstResponse(server, "/readyz")
    const { key, users } = await makeWriterRealm(server.port, rootKey, receiver, { writers: 1, users: 12 })
    const readers = { nodes: { ports: [server.port, server.port] }, key, users: users.flat() }
    // Objects and code that are created on first use must not count as memory of the connections.
    await new Api(`http://127.0.0.1:${server.port}`, undefined).get("/openapi.json")
    await readUntil(AbortSignal.timeout(BEFORE / 3), readers)
    const before = await readUntil(AbortSignal.timeout(BEFORE), readers)
    const quiet = memory(server).resident
    const over = new AbortController()
    const reading = readUntil(over.signal, readers)
    const slow = await startSlowClients({ port: server.port, key, counts: COUNTS })
    logProgress(`${whole(slow.ports.size)} slow clients are connected`)
    const closed = await closings(server, slow.ports)
    over.abort()
    const during = await reading
    await slow.stop()
    const { peak, resident } = memory(server)
    const after = await new Api(`http://127.0.0.1:${server.port}`, undefined).get("/readyz")
    await server.stop("SIGKILL")
    const [usual, slowed] = [quantile(before.millis, 0.99), quantile(during.millis, 0.99)]
    return {
      figures: [
        ["slow clients", whole(slow.ports.size)],
        ...ways.map(
          (way) =>
            [
              `${whole(COUNTS[way])} with ${way}: closed within`,
              closed.has(way) ? `${closed.get(way)?.toFixed(0)} s` : "not in time"
            ] as const
        ),
        ["reads before: median, 99 %, slowest", spread(before.millis)],
        ["reads in that time", statusSummary(during)],
        ["reads in that time: median, 99 %, slowest", spread(during.millis)],
        ["resident memory before, peak, after", `${quiet}, ${peak}, ${resident} MiB`]
      ] as const,
      broken: [
        ...ways.flatMap((way) => {
          const seconds = closed.get(way) ?? Number.POSITIVE_INFINITY
          return seconds <= LIMITS[way] + SLACK ? [] : [`Connections with ${way} were open after ${LIMITS[way]} s.`]
        }),
        ...[...during.statuses].flatMap(([status, count]) => (status === "200" ? [] : [`${count} reads: ${status}.`])),
        ...(slowed > Math.max(ACCEPTABLE_MILLIS, MAX_SLOWDOWN * usual)
          ? [`One read in a hundred took ${inSeconds(slowed)}, before ${inSeconds(usual)}.`]
          : []),
        ...(peak - quiet > MEMORY ? [`They used ${peak - quiet} MiB of memory.`] : []),
        ...(after.status === 200 ? [] : [`It was not ready afterwards: ${after.status}.`])
      ]
    }
  } finally {
    receiver.stop()
    await postgres.remove()
  }
}

/** Thousands of clients occupy connections without making progress. */
export const slowLoris: Scenario = {
  name: "slow-loris",
  row: "RG-11",
  promise:
    "each is closed at its limit; the slowest 1 % of others' reads takes at most twice as long, or a quarter of a second; at most 200 MiB",
  run
}
