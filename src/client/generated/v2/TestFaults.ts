// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Faults } from "../types/Faults.ts"

/** The parameters of `POST /v2/test/faults`. */
export interface FailTestFault {
  /**
   * What is to fail: `mail` (the mail server can't be reached), `webhook` (no destination can be reached), `provider`
   * (no external provider can be reached) or `database` (a request gets 503).
   */
  readonly fail: "mail" | "webhook" | "provider" | "database"
  /** How many times in a row, in place of what was asked for before. 0: not any more. Default: 1. */
  readonly times?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/**
 * Failures on demand of a service in test mode (`SALLYPORT_TEST_MODE=on`); elsewhere these addresses are 404. What
 * follows a failure is what follows it in production.
 */
export interface TestFaults<F extends Form> {
  /**
   * Get what is to fail.
   *
   * Requires a key of level `read`.
   */
  read(options?: CallOptions): Answer<F, Faults>
  /**
   * Let something fail.
   *
   * Lets mails, webhooks, external providers or the database fail the next times. A mail or a webhook's event is sent
   * again later; who logs in by a provider is told that it failed; a request whose database fails gets 503 with its
   * `request_id`, changes nothing, and can be sent again. Requests to `/v2/test` never meet a failing database, nor
   * does work in the background.
   *
   * Requires a key of level `admin_all_realms`.
   */
  fail(body: FailTestFault, options?: CallOptions): Answer<F, Faults>
  /**
   * Let nothing fail any more.
   *
   * Requires a key of level `admin_all_realms`.
   */
  clear(options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const testFaults = <F extends Form>(call: Call<F>): TestFaults<F> => ({
  read: (options) => call.one({ route: "GET /v2/test/faults" }, [], undefined, options),
  fail: (body, options) => call.one({ route: "POST /v2/test/faults" }, [], body, options),
  clear: (options) => call.one({ route: "DELETE /v2/test/faults" }, [], undefined, options)
})
