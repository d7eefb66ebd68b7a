// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Faults } from "../types/Faults.ts"

/** The parameters of `POST /v2/test/faults`. */
export interface FailTestFault {
  /**
   * The operation that will fail: `mail` (the mail server can't be reached), `webhook` (no destination can be reached),
   * `provider` (no external provider can be reached) or `database` (a request gets 503).
   */
  readonly fail: "mail" | "webhook" | "provider" | "database"
  /** The number of failures in a row. Replaces any earlier number; 0 cancels the failures. Default: 1. */
  readonly times?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/**
 * Failures on demand, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404. The
 * failures have the same consequences as in production.
 */
export interface TestFaults<F extends Form> {
  /**
   * Get pending failures.
   *
   * Requires an API key of level `read`.
   */
  read(options?: CallOptions): Answer<F, Faults>
  /**
   * Request failures.
   *
   * Makes the next emails, webhooks, calls to external providers or database requests fail. Emails and webhooks are
   * retried later; logins at a provider fail with an error; a request whose database fails returns 503 with its
   * `request_id`, changes nothing, and can be repeated. The database never fails for requests to `/v2/test` or for
   * background work.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  fail(body: FailTestFault, options?: CallOptions): Answer<F, Faults>
  /**
   * Cancel pending failures.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  clear(options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const testFaults = <F extends Form>(call: Call<F>): TestFaults<F> => ({
  read: (options) => call.one({ route: "GET /v2/test/faults" }, [], undefined, options),
  fail: (body, options) => call.one({ route: "POST /v2/test/faults" }, [], body, options),
  clear: (options) => call.one({ route: "DELETE /v2/test/faults" }, [], undefined, options)
})
