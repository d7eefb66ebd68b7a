// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Clock } from "../types/Clock.ts"

/** The parameters of `POST /v2/test/clock`. */
export interface AdvanceClock {
  /**
   * How far to advance the clock: a number of seconds, or text such as "30 days" (seconds, minutes, hours, days or
   * weeks). At most 100 years.
   */
  readonly advance?: number | string | null | undefined
  /** The time to advance it to: Unix time in seconds, not before the current one. */
  readonly advance_to?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The clock, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404. */
export interface Test<F extends Form> {
  /**
   * Get the time.
   *
   * Requires an API key of level `read`.
   */
  read(options?: CallOptions): Answer<F, Clock>
  /**
   * Advance the time.
   *
   * Performs everything that becomes due in that time, in every realm, and returns the recorded events. Accepts either
   * `advance` (seconds, or text such as `30 days`) or `advance_to`, and no other members. `advance: 0` performs
   * everything that is due now: waiting emails and webhooks are sent before the response. The clock also continues to
   * run. The expiry of a session records no event. Returns 409 while the clock is already being advanced.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  advance(body?: AdvanceClock, options?: CallOptions): Answer<F, Clock>
}

/** Creates the resource's functions from a function that calls the API. */
export const test = <F extends Form>(call: Call<F>): Test<F> => ({
  read: (options) => call.one({ route: "GET /v2/test/clock", realm: "none" }, [], undefined, options),
  advance: (body, options) => call.one({ route: "POST /v2/test/clock", realm: "none" }, [], body, options)
})
