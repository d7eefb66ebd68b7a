import { Agent, type ServerResponse } from "node:http"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { send } from "../../test/harness/HttpClient.ts"
import { startReceiver } from "../../test/harness/Receiver.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { createHookedRealm, insertDueDeliveries, insertPastEvents } from "../load/Outbox.ts"
import { type Spread, spreadOf } from "../load/Rounds.ts"

/** The effect of a receiver that never responds on the deliveries to another receiver. */
export interface DeliveryIsolation {
  readonly due: number
  readonly samples: number
  /** The time from an event's `event_at` to its arrival, in milliseconds, without and with the silent receiver. */
  readonly alone: Latency
  readonly beside: Latency
  /** The ratio of the p99 with the silent receiver to the p99 without it: over all samples, and in each round. */
  readonly ratio: number
  readonly ratios: Spread
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The median and the 99th percentile of delays, in milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** The length and the number of measurements. `due`: the number of deliveries waiting for the silent receiver. */
export interface IsolationPace {
  readonly rounds: number
  readonly windowMillis: number
  readonly perSecond: number
  readonly due: number
}

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** The number of concurrent attempts for a hook as long as none succeeds. */
const HANGING = 1

/**
 * Returns a quantile of delays that are whole milliseconds. Equal delays are treated as evenly spread over their
 * millisecond.
 */
const quantile = (sorted: ReadonlyArray<number>, share: number): number => {
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  const value = sorted[at] ?? Number.NaN
  const first = sorted.indexOf(value)
  const same = sorted.lastIndexOf(value) - first + 1
  return value - 0.5 + (at - first + 0.5) / same
}

const latency = (delays: ReadonlyArray<number>): Latency => {
  const sorted = delays.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

/** A receiver that accepts requests and never responds. */
const silentReceiver = async () => {
  const hanging = new Set<ServerResponse>()
  const { url, stop } = await startReceiver((_, __, response) => {
    hanging.add(response)
    response.once("close", () => hanging.delete(response))
  })
  return { url, stop, hanging, hangUp: () => hanging.forEach((response) => response.destroy()) }
}

/** Measures the deliveries to one receiver, alternately without and with a silent receiver. */
export const measureDeliveryIsolation = async (
  program: Program,
  rootKey: string,
  url: string,
  { rounds, windowMillis, perSecond, due }: IsolationPace
): Promise<DeliveryIsolation> => {
  let delays: Array<number> = []
  const healthy = await startReceiver((_, body, response) => {
    const now = Date.now()
    response.writeHead(200).end()
    const event: { readonly event_at: number } = JSON.parse(body)
    delays.push(now - event.event_at * 1_000)
  })
  const silent = await silentReceiver()
  const server = await start(program)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let wrong = 0
  let firstWrong: string | undefined
  let renamed = 0
  try {
    await timeToFirstResponse(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${server.port}`, rootKey)
    const { realmId, orgId } = await createHookedRealm(root, healthy.url, ["org.updated"])
    const silentHook = await createHookedRealm(root, silent.url, ["user.deleted"])
    await insertPastEvents(url, silentHook.realmId, silentHook.orgId, due)
    const key = await root.post("/v2/api_keys", { api_key: { name: "bench", level: "write", realm_id: realmId } })
    const options = { agent, port: server.port, key: key.string("key"), method: "PUT", path: `/v2/orgs/${orgId}` }

    /** Updates the org at a fixed rate and returns the delays of the deliveries. */
    const window = async (millis: number): Promise<ReadonlyArray<number>> => {
      delays = []
      const calls: Array<Promise<void>> = []
      const call = async () => {
        const { status, text } = await send({ ...options, body: { org: { name: `Name ${renamed++}` } } })
        if (status === 200) return
        wrong++
        firstWrong ??= `${status} ${text.slice(0, 200)}`
      }
      const began = performance.now()
      const count = Math.round((millis / 1_000) * perSecond)
      for (let n = 0; n < count; n++) {
        await wait(Math.max(0, began + (n * 1_000) / perSecond - performance.now()))
        calls.push(call())
      }
      await Promise.all(calls)
      for (const from = performance.now(); delays.length < count && performance.now() - from < 10_000; ) await wait(20)
      if (delays.length !== count) {
        wrong++
        firstWrong ??= `${delays.length} of ${count} events were delivered`
      }
      return delays
    }

    let from = 0
    const beside = async () => {
      await insertDueDeliveries(url, silentHook.realmId, silentHook.hookId, { count: due, from: (from += due) })
      while (silent.hanging.size < Math.min(HANGING, due)) await wait(50)
      const measured = await window(windowMillis)
      await withClient(url, (client) =>
        client.query("delete from deliveries where realm_id = $1", [silentHook.realmId])
      )
      while (silent.hanging.size > 0) {
        silent.hangUp()
        await wait(50)
      }
      return measured
    }
    const alone = () => window(windowMillis)

    await window(Math.min(3_000, windowMillis))
    const pairs: Array<{ readonly alone: ReadonlyArray<number>; readonly beside: ReadonlyArray<number> }> = []
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) pairs.push({ alone: await alone(), beside: await beside() })
      else {
        const first = await beside()
        pairs.push({ alone: await alone(), beside: first })
      }
    }
    const [without, withIt] = [
      latency(pairs.flatMap((pair) => pair.alone)),
      latency(pairs.flatMap((pair) => pair.beside))
    ]
    return {
      due,
      samples: pairs.reduce((sum, pair) => sum + pair.alone.length, 0),
      alone: without,
      beside: withIt,
      ratio: withIt.p99 / without.p99,
      ratios: spreadOf(pairs.map((pair) => latency(pair.beside).p99 / latency(pair.alone).p99)),
      wrong,
      firstWrong
    }
  } finally {
    agent.destroy()
    await server.stop("SIGKILL")
    healthy.stop()
    silent.stop()
  }
}
