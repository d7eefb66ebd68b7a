import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** Callers who come all at once, each with a new connection for each request. */
export interface CrowdOptions {
  readonly seed: number
  readonly ports: ReadonlyArray<number>
  readonly callers: number
  /** Requests as they are sent, one of which each caller picks each time. */
  readonly requests: ReadonlyArray<string>
  /** Milliseconds that a caller waits after an answer, at most. */
  readonly pause: number
}

/** What a crowd was told. */
export interface CrowdAnswers {
  /** How many requests were answered with each status, or why not. */
  readonly statuses: ReadonlyArray<readonly [status: string, count: number]>
  /** Milliseconds from the attempt to connect to the end of the answer, in order of time. */
  readonly millis: ReadonlyArray<number>
  /** Answers of 503 without Retry-After. */
  readonly missingRetryAfter: number
}

/** Lets a crowd come, in a thread of its own, so that whoever measures does not wait for it. */
export const startCrowd = (options: CrowdOptions): { readonly stop: () => Promise<CrowdAnswers> } => {
  const thread = new Worker(new URL("CrowdThread.ts", import.meta.url), { workerData: options })
  const answers = once(thread, "message")
  return {
    stop: async () => {
      thread.postMessage("stop")
      const [told]: ReadonlyArray<CrowdAnswers> = await answers
      if (told === undefined) throw new Error("The crowd has said nothing.")
      return told
    }
  }
}
