// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Message } from "../types/Message.ts"

/** The parameters of `GET /v2/test/messages`. */
export interface ListTestMessages {
  /** Only emails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Only emails of this realm. Default: of all. */
  readonly realm_id?: string | undefined
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. Blank counts as left out; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 100. Default: 100. */
  readonly max_results?: number | undefined
  /** Only emails stored after this time: Unix time in seconds, with up to three decimals, exclusive. Default: all. */
  readonly created_at_after?: number | undefined
  /**
   * The ID of an email: only emails stored after it. With `wait`, pass the ID of the last email seen to wait for the
   * next one. Default: all.
   */
  readonly newer_than?: string | undefined
  /**
   * The seconds to wait for an email if none matches the other parameters yet: 0 to 30, in real time even if the test
   * clock is advanced. Default: 0.
   */
  readonly wait?: number | undefined
}

/** The parameters of `DELETE /v2/test/messages`. */
export interface ClearTestMessages {
  /** Only emails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Only emails of this realm. Default: of all. */
  readonly realm_id?: string | undefined
}

/**
 * The emails of a service that stores them instead of sending them: one without a mail server, with the embedded
 * database or in test mode. Otherwise these endpoints return 404. Callers on the service's own machine need no API key
 * if the service has neither a public URL nor trusted proxies; if they send a key, it must be valid.
 */
export interface TestMessages<F extends Form> {
  /**
   * List mails.
   *
   * Lists the emails of all realms, newest first. The newest 1,000 are stored.
   *
   * Needs no API key from the service's own machine. From elsewhere, requires an API key of level `admin_all_realms`.
   */
  list(query?: ListTestMessages, options?: CallOptions): Listed<F, Message>
  /**
   * Delete mails.
   *
   * Deletes the emails to an address or of a realm; without either, all.
   *
   * Needs no API key from the service's own machine. From elsewhere, requires an API key of level `admin_all_realms`.
   */
  clear(query?: ClearTestMessages, options?: CallOptions): Answer<F, void>
  /**
   * Get an email.
   *
   * Needs no API key from the service's own machine. From elsewhere, requires an API key of level `admin_all_realms`.
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
