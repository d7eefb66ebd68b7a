import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { withClient } from "../harness/Database.ts"
import { cpuSeconds, firstAnswer, memory, type Program, type Server, start } from "../harness/Servers.ts"

/** How fast one process delivers to a receiver that answers at once. */
export interface Throughput {
  readonly deliveries: number
  readonly perSecond: number
  readonly cpuMicros: number
  readonly corePercent: number
  /** What is held on to after a collection, in MiB: when half of them are made, and after the last. */
  readonly heap: { readonly half: number; readonly last: number }
  /** Resident memory in MiB: at the first delivery, when half are made, at the last; and the peak. */
  readonly memory: { readonly first: number; readonly half: number; readonly last: number; readonly peak: number }
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** Who a webhook leads to. */
export interface Destination {
  readonly url: string
  readonly stop: () => void
}

/** Listens for posts. */
export const listen = async (
  received: (request: IncomingMessage, body: string, response: ServerResponse) => void
): Promise<Destination> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("error", () => {})
    request.once("end", () => received(request, Buffer.concat(chunks).toString(), response))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** A realm with a webhook that hears of changes to orgs. */
export const hookedRealm = async (root: Api, destination: string, eventTypes: ReadonlyArray<string>) => {
  const realm = await root.post("/v2/realms", { realm: { name: "Deliveries", jwt_algo: "hs256" } })
  const org = await new Api(root.url, root.key, realm.id).post("/v2/orgs", { org: { name: "Org" } })
  const hook = await root.post("/v2/hooks", {
    hook: { hook_type: "webhook", realm_id: realm.id, event_type: eventTypes, destination }
  })
  return { realmId: realm.id, orgId: org.id, hookId: hook.id }
}

const insertEvents = `insert into events (realm_id, id, event_type, event_at, org_id, request_ip, request_client)
  select $1, 'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), 'org.updated', $3, $4, '203.0.113.7', 'bench'
  from generate_series(1, $2::int) n`

const insertDeliveries = `insert into deliveries (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts,
    created_at, due_at)
  select $1, 'ent_' || lpad(to_hex($5::int + n), 10, '0') || repeat('0', 16),
    'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), $1, $4, 'webhook', $6, 0, $3, $3
  from generate_series(1, $2::int) n`

/** Records events of an org in the past. */
export const recordEvents = (url: string, realmId: string, orgId: string, count: number): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(insertEvents, [realmId, count, new Date(), orgId])
  })

/** What is to be inserted of deliveries: how many, in which state. `from`: tells their ids apart. */
interface Outbox {
  readonly count: number
  readonly state?: "in_progress" | "completed"
  readonly from?: number
}

/** Makes the first of these events due to a hook, or delivered already. */
export const makeDue = (
  url: string,
  realmId: string,
  hookId: string,
  { count, state = "in_progress", from = 0 }: Outbox
): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(insertDeliveries, [realmId, count, new Date(), hookId, from, state])
  })

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** For how long no delivery may come before the rest is given up, in milliseconds. */
const SILENCE = 20_000

/** What a process holds on to, in MiB. */
export const liveHeap = async ({ pid }: Server, file: string): Promise<number> => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  for (const from = performance.now(); !existsSync(file) || readFileSync(file, "utf8") === ""; await wait(20)) {
    if (performance.now() - from > SILENCE) throw new Error("The process does not say what it holds on to.")
  }
  return Number(readFileSync(file, "utf8")) / 2 ** 20
}

/** A destination that notes what comes, and how its sender fares when the first, the middle and the last does. */
const counting = async (expected: number, heapFile: string) => {
  const half = Math.ceil(expected / 2)
  const ids = new Map<string, number>()
  const marks = new Map<number, { readonly at: number; readonly cpu: number; readonly resident: number }>()
  let posts = 0
  let latest = performance.now()
  let server: Server | undefined
  let heapAtHalf: Promise<number> | undefined
  const { url, stop } = await listen((request, _, response) => {
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
    /** Watches a process until all has come. */
    watch: async (watched: Server) => {
      server = watched
      latest = performance.now()
      while (posts < expected && performance.now() - latest < SILENCE) await wait(50)
    },
    heapAtHalf: () => heapAtHalf ?? Number.NaN,
    marks: () => [1, half, expected].map((at) => marks.get(at))
  }
}

/** Lets one process deliver what has piled up. */
export const measureThroughput = async (
  program: Program,
  rootKey: string,
  url: string,
  deliveries: number
): Promise<Throughput> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"))
  const heapFile = join(folder, "heap")
  const destination = await counting(deliveries, heapFile)
  try {
    const first = await start(program)
    await firstAnswer(first, "/healthz")
    const root = new Api(`http://127.0.0.1:${first.port}`, rootKey)
    const { realmId, orgId, hookId } = await hookedRealm(root, destination.url, ["org.updated"])
    await first.stop("SIGKILL")
    await recordEvents(url, realmId, orgId, deliveries)
    // As after an outage: what the planner knows of is delivered, what is due has piled up since.
    await makeDue(url, realmId, hookId, { count: deliveries, state: "completed", from: deliveries })
    await withClient(url, (client) => client.query("vacuum analyze"))
    await makeDue(url, realmId, hookId, { count: deliveries })

    const environment = { ...program.environment, BENCH_SERVICE: program.file, BENCH_HEAP: heapFile }
    const server = await start({
      ...program,
      file: new URL("../harness/LiveHeap.ts", import.meta.url).pathname,
      environment
    })
    await destination.watch(server)
    // What comes after the last one would be one too many.
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
      throw new Error(`Only ${destination.ids.size} of ${deliveries} deliveries came.`)
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
      firstWrong: wrong === 0 ? undefined : `${missing} missing, ${repeats} made twice, ${open} not completed`
    }
  } finally {
    destination.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
