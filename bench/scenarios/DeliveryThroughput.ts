import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { startReceiver } from "../../test/harness/Receiver.ts"
import {
  cpuSeconds,
  memory,
  type Program,
  type Server,
  start,
  timeToFirstResponse
} from "../../test/harness/Servers.ts"
import { liveHeap } from "../harness/HeapProbe.ts"
import { createHookedRealm, insertDueDeliveries, insertPastEvents } from "../load/Outbox.ts"

/** The throughput of one process with a receiver that responds immediately. */
export interface DeliveryThroughput {
  readonly deliveries: number
  readonly perSecond: number
  readonly cpuMicros: number
  readonly corePercent: number
  /** The live heap in MiB after half of the deliveries and after the last. */
  readonly heap: { readonly half: number; readonly last: number }
  /**
   * The resident memory in MiB: at the first delivery, after half of the deliveries, at the last delivery, and at its
   * peak.
   */
  readonly memory: { readonly first: number; readonly half: number; readonly last: number; readonly peak: number }
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** The time without a delivery after which the measurement ends, in milliseconds. */
const SILENCE = 20_000

/**
 * Starts a receiver that counts deliveries. It samples the sender's CPU time and memory at the first, middle and last
 * delivery.
 */
const countingReceiver = async (expected: number, heapFile: string) => {
  const half = Math.ceil(expected / 2)
  const ids = new Map<string, number>()
  const marks = new Map<number, { readonly at: number; readonly cpu: number; readonly resident: number }>()
  let posts = 0
  let latest = performance.now()
  let server: Server | undefined
  let heapAtHalf: Promise<number> | undefined
  const { url, stop } = await startReceiver((request, _, response) => {
    response.writeHead(200).end()
    posts++
    latest = performance.now()
    const id = String(request.headers["webhook-id"])
    ids.set(id, (ids.get(id) ?? 0) + 1)
    if (server !== undefined && [1, half, expected].includes(posts)) {
      marks.set(posts, { at: latest, cpu: cpuSeconds(server), resident: memory(server).resident })
      if (posts === half) heapAtHalf = liveHeap(server, heapFile)
    }
  })
  return {
    url,
    stop,
    ids,
    /** Samples a process until all deliveries have arrived. */
    watch: async (watched: Server) => {
      server = watched
      latest = performance.now()
      while (posts < expected && performance.now() - latest < SILENCE) await wait(50)
    },
    heapAtHalf: () => heapAtHalf ?? Number.NaN,
    marks: () => [1, half, expected].map((at) => marks.get(at))
  }
}

/** Measures the delivery of a backlog by one process. */
export const measureDeliveryThroughput = async (
  program: Program,
  rootKey: string,
  url: string,
  deliveries: number
): Promise<DeliveryThroughput> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"))
  const heapFile = join(folder, "heap")
  const destination = await countingReceiver(deliveries, heapFile)
  try {
    const first = await start(program)
    await timeToFirstResponse(first, "/healthz")
    const root = new Api(`http://127.0.0.1:${first.port}`, rootKey)
    const { realmId, orgId, hookId } = await createHookedRealm(root, destination.url, ["org.updated"])
    await first.stop("SIGKILL")
    await insertPastEvents(url, realmId, orgId, deliveries)
    // As after an outage: the planner has only seen completed deliveries, and the due deliveries have accumulated since then.
    await insertDueDeliveries(url, realmId, hookId, { count: deliveries, state: "completed", from: deliveries })
    await withClient(url, (client) => client.query("vacuum analyze"))
    await insertDueDeliveries(url, realmId, hookId, { count: deliveries })

    const environment = { ...program.environment, BENCH_SERVICE: program.file, BENCH_HEAP: heapFile }
    const server = await start({
      ...program,
      file: new URL("../../test/harness/LiveHeap.ts", import.meta.url).pathname,
      environment
    })
    await destination.watch(server)
    // Any delivery after the last one would be a duplicate.
    await wait(1_000)
    const { peak } = memory(server)
    const heap = { half: await destination.heapAtHalf(), last: await liveHeap(server, heapFile) }
    await server.stop("SIGKILL")
    const open = await withClient(url, async (client) => {
      const { rows } = await client.query<{ open: number }>(
        "select count(*)::int as open from deliveries where realm_id = $1 and state <> 'completed'",
        [realmId]
      )
      return rows[0]?.open ?? 0
    })
    const [began, half, ended] = destination.marks()
    if (began === undefined || half === undefined || ended === undefined) {
      throw new Error(`Only ${destination.ids.size} of ${deliveries} deliveries arrived.`)
    }
    const repeats = [...destination.ids.values()].filter((times) => times > 1).length
    const missing = deliveries - destination.ids.size
    const seconds = (ended.at - began.at) / 1_000
    const cpu = ended.cpu - began.cpu
    const wrong = repeats + missing + open
    return {
      deliveries,
      perSecond: (deliveries - 1) / seconds,
      cpuMicros: (cpu / (deliveries - 1)) * 1e6,
      corePercent: (100 * cpu) / seconds,
      heap,
      memory: { first: began.resident, half: half.resident, last: ended.resident, peak },
      wrong,
      firstWrong: wrong === 0 ? undefined : `${missing} missing, ${repeats} duplicates, ${open} not completed`
    }
  } finally {
    destination.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
