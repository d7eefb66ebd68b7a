// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A notification. */
export interface Notification {
  /** The notification's ID, which begins with `ent_`. It is also the `webhook-id` of the requests. */
  readonly id: string
  /** The type of the object: always `notification`. */
  readonly object: "notification"
  /**
   * The state of the delivery: waiting for its first or next attempt (`in_progress`), delivered (`completed`), failed
   * permanently after nine attempts (`failed`), or canceled (`canceled`).
   */
  readonly state: "in_progress" | "completed" | "failed" | "canceled"
  /** The number of attempts so far. */
  readonly attempts: number
  /**
   * Unix time in seconds, with up to three decimals, of the earliest next attempt, after the hook's `delay`, the wait
   * after a failure, or an email limit. During an attempt, the time at which the attempt counts as lost. Null unless
   * `in_progress`.
   */
  readonly next_attempt_at: number | null
  /** The hook's ID. */
  readonly hook_id: string
  /** The type of the hook, which sends either requests (`webhook`) or emails (`email`). */
  readonly hook_type: "webhook" | "email"
  /** Unix time in seconds, with up to three decimals, of the last attempt; null if there was none. */
  readonly last_attempt_at: number | null
  /** The URL or address of the last attempt; null if there was none. */
  readonly last_destination: string | null
  /**
   * The result of the last attempt: the response's status and the first 1 KB of its body, or a sentence. Null if there
   * was none.
   */
  readonly last_result: string | null
}
