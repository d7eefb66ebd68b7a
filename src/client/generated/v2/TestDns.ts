// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Dns } from "../types/Dns.ts"

/** The parameters of `PUT /v2/test/dns`. */
export interface SetTestDn {
  /** The name, such as `_sallyport.example.com`. At most 1,000 names can be set. */
  readonly name: string
  /** The TXT records, at most 100. They replace all earlier ones of the name. Default: none. */
  readonly txt?: ReadonlyArray<string> | null | undefined
  /** Makes looking up the name fail instead. Default: null. */
  readonly failure?: "nxdomain" | "no_record" | "alias" | "servfail" | "timeout" | "too_large" | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/**
 * DNS for domains, in test mode (`SALLYPORT_TEST_MODE=on`) only: the service asks no resolvers, and finds only the
 * records that were set here. Without test mode, these endpoints return 404.
 */
export interface TestDns<F extends Form> {
  /**
   * Get DNS records.
   *
   * Requires an API key of level `read`.
   */
  read(options?: CallOptions): Answer<F, Dns>
  /**
   * Set the records of a name.
   *
   * Sets the TXT records that the service finds for a name, or makes looking it up fail. A name with an empty `txt`
   * exists without TXT records.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  set(body: SetTestDn, options?: CallOptions): Answer<F, Dns>
  /**
   * Remove all DNS records.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  clear(options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const testDns = <F extends Form>(call: Call<F>): TestDns<F> => ({
  read: (options) => call.one({ route: "GET /v2/test/dns" }, [], undefined, options),
  set: (body, options) => call.one({ route: "PUT /v2/test/dns" }, [], body, options),
  clear: (options) => call.one({ route: "DELETE /v2/test/dns" }, [], undefined, options)
})
