// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Message } from "../types/Message.ts"

/** The parameters of `GET /v2/test/messages`. */
export interface ListTestMessages {
  /** Only mails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Only mails of this realm. Default: of all. */
  readonly realm_id?: string | undefined
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. A blank one counts as none; text that is neither is 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 100. Default: 100. */
  readonly max_results?: number | undefined
  /** Only mails kept after this time, Unix time in seconds, with up to three decimals, exclusive. Default: all. */
  readonly created_at_after?: number | undefined
  /**
   * The ID of a mail: only mails kept after it, however soon. With `wait`, the ID of the last mail that was seen waits
   * for the next one. Default: all.
   */
  readonly newer_than?: string | undefined
  /**
   * The seconds to wait for a mail if there is none yet that the other parameters admit: 0 to 30, of real time whatever
   * the clock says. Default: 0.
   */
  readonly wait?: number | undefined
}

/** The parameters of `DELETE /v2/test/messages`. */
export interface ClearTestMessages {
  /** Only mails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Only mails of this realm. Default: of all. */
  readonly realm_id?: string | undefined
}

/**
 * The mails of a service that keeps them instead of sending them: without a mail server, with the embedded database or
 * in test mode. Elsewhere these addresses are 404. Callers on the service's own machine need no key if that has neither
 * a public URL nor trusted proxies; a key that they send must be valid.
 */
export interface TestMessages<F extends Form> {
  /**
   * List mails.
   *
   * Lists the mails of all realms, newest first. The newest 1,000 are kept.
   *
   * From the service's own machine no key is needed. From elsewhere it requires a key of level `admin_all_realms`.
   */
  list(query?: ListTestMessages, options?: CallOptions): Listed<F, Message>
  /**
   * Delete mails.
   *
   * Deletes the mails to an address or of a realm; without either, all.
   *
   * From the service's own machine no key is needed. From elsewhere it requires a key of level `admin_all_realms`.
   */
  clear(query?: ClearTestMessages, options?: CallOptions): Answer<F, void>
  /**
   * Get a mail.
   *
   * From the service's own machine no key is needed. From elsewhere it requires a key of level `admin_all_realms`.
   */
  get(messageId: string, options?: CallOptions): Answer<F, Message>
}

/** Creates the resource's functions from a function that calls the API. */
export const testMessages = <F extends Form>(call: Call<F>): TestMessages<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/test/messages" }, [], query, options),
  clear: (query, options) => call.one({ route: "DELETE /v2/test/messages" }, [], query, options),
  get: (messageId, options) =>
    call.one({ route: "GET /v2/test/messages/{message_id}" }, [messageId], undefined, options)
})
