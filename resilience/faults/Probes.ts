import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { send } from "../../test/harness/HttpClient.ts"

/** The time without a response after which a probe counts as failed, and the pause between two probes, in milliseconds. */
const PATIENCE = 20_000
const PAUSE = 100

/** The results of probes. */
export interface ProbeResults {
  readonly statuses: Map<string, number>
  /** The duration of each probe in milliseconds, from the connection attempt. */
  readonly millis: Array<number>
}

/** Requests a path at each port until the signal is aborted. Each request uses a new connection, like a supervisor's. */
export const probeUntil = async (
  over: AbortSignal,
  ports: ReadonlyArray<number>,
  path: string
): Promise<ProbeResults> => {
  const probed: ProbeResults = { statuses: new Map(), millis: [] }
  const agent = new Agent({ keepAlive: false })
  const prober = async (port: number) => {
    while (!over.aborted) {
      const sent = performance.now()
      const status = await send({ agent, port, method: "GET", path, timeout: PATIENCE }).then(
        (answer) => `${answer.status}`,
        () => "no answer"
      )
      probed.millis.push(performance.now() - sent)
      probed.statuses.set(status, (probed.statuses.get(status) ?? 0) + 1)
      await setTimeout(PAUSE)
    }
  }
  await Promise.all(ports.map(prober))
  return probed
}
