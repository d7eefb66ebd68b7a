import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** Ways to keep a connection without getting on. */
export const ways = [
  "headers by the second",
  "bodies by the second",
  "not a word",
  "answers never read",
  "idle after an answer"
] as const

export type Way = (typeof ways)[number]

/** Clients that keep connections to a port. */
export interface SlowClientsOptions {
  readonly port: number
  /** A key that may write. */
  readonly key: string
  /** How many clients go each way. */
  readonly counts: Readonly<Record<Way, number>>
}

/** Whose connections these are, by the ports of the clients. */
export type ClientPorts = ReadonlyMap<number, Way>

/** Slow clients that are there. */
export interface SlowClients {
  readonly ports: ClientPorts
  readonly stop: () => Promise<void>
}

/** Lets slow clients connect, in a thread of its own. */
export const startSlowClients = async (options: SlowClientsOptions): Promise<SlowClients> => {
  const thread = new Worker(new URL("SlowClientsThread.ts", import.meta.url), { workerData: options })
  const [ports]: ReadonlyArray<ClientPorts> = await once(thread, "message")
  if (ports === undefined) throw new Error("The slow clients have said nothing.")
  return {
    ports,
    stop: async () => {
      await thread.terminate()
    }
  }
}
