import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** Ways to occupy a connection without making progress. */
export const ways = ["slow headers", "slow bodies", "not a word", "unread responses", "idle after a response"] as const

export type Way = (typeof ways)[number]

/** The clients to start, which occupy connections to a port. */
export interface SlowClientsOptions {
  readonly port: number
  /** A key with write permission. */
  readonly key: string
  /** The number of clients for each way of occupying connections. */
  readonly counts: Readonly<Record<Way, number>>
}

/** The way in which each connection is occupied, by the client's port. */
export type ClientPorts = ReadonlyMap<number, Way>

/** The running slow clients. */
export interface SlowClients {
  readonly ports: ClientPorts
  readonly stop: () => Promise<void>
}

/** Connects slow clients on a separate thread. */
export const startSlowClients = async (options: SlowClientsOptions): Promise<SlowClients> => {
  const thread = new Worker(new URL("SlowClientsThread.ts", import.meta.url), { workerData: options })
  const [ports]: ReadonlyArray<ClientPorts> = await once(thread, "message")
  if (ports === undefined) throw new Error("The slow clients reported nothing.")
  return {
    ports,
    stop: async () => {
      await thread.terminate()
    }
  }
}
