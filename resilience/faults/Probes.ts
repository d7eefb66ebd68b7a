import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { send } from "../../bench/load/HttpClient.ts"

/** Milliseconds without an answer after which a probe has failed, and between two probes. */
const PATIENCE = 20_000
const PAUSE = 100

/** What probes were told. */
export interface Probed {
  readonly statuses: Map<string, number>
  /** Milliseconds of each, from the attempt to connect. */
  readonly millis: Array<number>
}

/** Asks each port for a path, with a new connection each time, as a supervisor does, until it is told to stop. */
export const probeUntil = async (over: AbortSignal, ports: ReadonlyArray<number>, path: string): Promise<Probed> => {
  const probed: Probed = { statuses: new Map(), millis: [] }
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
