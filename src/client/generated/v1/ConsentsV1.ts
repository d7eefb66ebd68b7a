// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { ConsentV1 } from "../types/ConsentV1.ts"

/** The parameters of `GET /v1/consents`. */
export interface ListConsentsV1 {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. A blank one counts as none; text that is neither is 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The user's ID; in the path of users also an e-mail (`/v2`) or a username (`/v1`), as a filter an e-mail or, under
   * `/v1`, a username. Of a user who does not exist a list has nothing.
   */
  readonly user_id?: string | undefined
  /** The connected app's ID. */
  readonly login_policy_id?: string | undefined
}

/**
 * What users have allowed OAuth clients for good, so that they aren't asked again. Only clients whose `consent` is
 * `ask` have any.
 */
export interface ConsentsV1<F extends Form> {
  /**
   * List consents.
   *
   * Lists the consents of a user, to a client or of the whole realm.
   *
   * Requires a key of level `read`.
   */
  list(query?: ListConsentsV1, options?: CallOptions): Listed<F, ConsentV1>
  /**
   * Get a consent.
   *
   * Requires a key of level `read`.
   */
  get(consentId: string, options?: CallOptions): Answer<F, ConsentV1>
  /**
   * Revoke a consent.
   *
   * The user is asked again when the client asks the next time. Ends the grants that the user has given the client.
   * Events: `oauth.consent.revoked`, then `oauth.grant.revoked` for each grant that was active.
   *
   * Requires a key of level `write`.
   */
  delete(consentId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const consents = <F extends Form>(call: Call<F>): ConsentsV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/consents" }, [], query, options),
  get: (consentId, options) => call.one({ route: "GET /v1/consents/{consent_id}" }, [consentId], undefined, options),
  delete: (consentId, options) =>
    call.one({ route: "DELETE /v1/consents/{consent_id}" }, [consentId], undefined, options)
})
