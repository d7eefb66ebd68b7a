import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { send } from "../../test/harness/HttpClient.ts"
import type { FaultContext } from "./LedgerRun.ts"

/** The users to read, and the nodes to read them from. */
export interface Readable extends Pick<FaultContext, "key" | "users"> {
  readonly nodes: Pick<FaultContext["nodes"], "ports">
}

/**
 * The time without a response after which a read counts as failed, and the pause between two reads of a reader, in
 * milliseconds.
 */
const PATIENCE = 20_000
const PAUSE = 20

/** The results of reads. */
export interface ReadResults {
  /** The number of reads by response status. */
  readonly statuses: Map<string, number>
  /** The duration of each read, in milliseconds. */
  readonly millis: Array<number>
}

/** Reads users from every node until the signal is aborted, without retries. */
export const readUntil = async (over: AbortSignal, { nodes, key, users }: Readable): Promise<ReadResults> => {
  const reads: ReadResults = { statuses: new Map(), millis: [] }
  const reader = async (port: number) => {
    const agent = new Agent({ keepAlive: true })
    for (let turn = 0; !over.aborted; turn++) {
      const path = turn % 2 === 0 ? `/v2/users/${users[turn % users.length]}` : "/v2/users?max_results=5"
      const sent = performance.now()
      const status = await send({ agent, port, key, method: "GET", path, timeout: PATIENCE }).then(
        (answer) => `${answer.status}`,
        () => "no answer"
      )
      reads.millis.push(performance.now() - sent)
      reads.statuses.set(status, (reads.statuses.get(status) ?? 0) + 1)
      await setTimeout(PAUSE)
    }
    agent.destroy()
  }
  await Promise.all(nodes.ports.flatMap((port) => [reader(port), reader(port)]))
  return reads
}

/** Runs an operation while users are read. */
export const whileReading = async <A>(load: Readable, happen: () => Promise<A>) => {
  const over = new AbortController()
  const [reads, result] = await Promise.all([
    readUntil(over.signal, load),
    happen().finally(() => {
      over.abort()
    })
  ])
  return { reads, result }
}

/** Formats the number of reads by status. */
export const statusSummary = ({ statuses }: ReadResults): string =>
  [...statuses].map(([status, count]) => `${status}: ${count.toLocaleString("en")}`).join(", ")
