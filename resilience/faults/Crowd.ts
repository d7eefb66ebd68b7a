import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** Callers that arrive at the same time. Each opens a new connection for every request. */
export interface CrowdOptions {
  readonly seed: number
  readonly ports: ReadonlyArray<number>
  readonly callers: number
  /** Serialized requests. Each caller picks one at a time. */
  readonly requests: ReadonlyArray<string>
  /** The maximum pause of a caller after a response, in milliseconds. */
  readonly pause: number
}

/** The responses that a crowd received. */
export interface CrowdAnswers {
  /** The number of requests by response status or, if there was no response, by the reason. */
  readonly statuses: ReadonlyArray<readonly [status: string, count: number]>
  /** The time from the connection attempt to the end of the response, in milliseconds, in chronological order. */
  readonly millis: ReadonlyArray<number>
  /** The number of 503 responses without Retry-After. */
  readonly missingRetryAfter: number
}

/** Starts a crowd on a separate thread, so that it doesn't delay measurements. */
export const startCrowd = (options: CrowdOptions): { readonly stop: () => Promise<CrowdAnswers> } => {
  const thread = new Worker(new URL("CrowdThread.ts", import.meta.url), { workerData: options })
  const answers = once(thread, "message")
  return {
    stop: async () => {
      thread.postMessage("stop")
      const [results]: ReadonlyArray<CrowdAnswers> = await answers
      if (results === undefined) throw new Error("The crowd reported nothing.")
      return results
    }
  }
}
