// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Message } from "../types/Message.ts"

/** The parameters of `GET /v2/test/messages`. */
export interface ListTestMessages {
  /** Return only emails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Return only emails of this realm. Default: all. */
  readonly realm_id?: string | undefined
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 100. Default: 100. */
  readonly max_results?: number | undefined
  /**
   * Return only emails stored after this time: Unix time in seconds, with up to three decimals, exclusive. Default:
   * all.
   */
  readonly created_at_after?: number | undefined
  /**
   * Return only emails stored after the email with this ID. To wait for the next email, pass the ID of the last email
   * seen, with `wait`. Default: all.
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
  /** Return only emails to this address, ignoring case. Default: all. */
  readonly to?: string | undefined
  /** Return only emails of this realm. Default: all. */
  readonly realm_id?: string | undefined
}

/**
 * The emails of a service that stores emails instead of sending them: without a mail server, and with the embedded
 * database or in test mode. Otherwise, these endpoints return 404. If the service has neither a public URL nor trusted
 * proxies, callers on its own machine need no API key, but if they send one, it must be valid.
 */
export interface TestMessages<F extends Form> {
  /**
   * List mails.
   *
   * Lists the emails of all realms, newest first. Only the newest 1,000 are stored.
   *
   * Requires an API key of level `admin_all_realms`, except from the service's own machine.
   */
  list(query?: ListTestMessages, options?: CallOptions): Listed<F, Message>
  /**
   * Delete mails.
   *
   * Deletes the emails to an address or of a realm. Without either, deletes all emails.
   *
   * Requires an API key of level `admin_all_realms`, except from the service's own machine.
   */
  clear(query?: ClearTestMessages, options?: CallOptions): Answer<F, void>
  /**
   * Get an email.
   *
   * Requires an API key of level `admin_all_realms`, except from the service's own machine.
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
