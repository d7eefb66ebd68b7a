// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A failing hook. */
export interface FailingHook {
  /** The hook's ID. */
  readonly hook_id: string
  /** The type of the hook, which sends either requests (`webhook`) or emails (`email`). */
  readonly hook_type: "webhook" | "email"
  /** The number of its deliveries that failed permanently. */
  readonly failed: number
  /** The number of its deliveries that have failed so far and will be retried. */
  readonly retrying: number
  /** The URL or address of the last attempt that failed. */
  readonly last_destination: string | null
  /** The result of the last attempt that failed. */
  readonly last_result: string | null
}
