// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { ConsentV1 } from "../types/ConsentV1.ts"

/** The parameters of `GET /v1/consents`. */
export interface ListConsentsV1 {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
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
   * The user's ID. In the path of users, it can also be an email (`/v2`) or a username (`/v1`). As a filter, it can
   * also be an email or, under `/v1`, a username. A list filtered by an unknown user is empty.
   */
  readonly user_id?: string | undefined
  /** The connected app's ID. */
  readonly login_policy_id?: string | undefined
}

/**
 * Lasting permissions that users have given to OAuth clients, so that they aren't asked again. They exist only for
 * clients whose `consent` is `ask`.
 */
export interface ConsentsV1<F extends Form> {
  /**
   * List consents.
   *
   * Lists the consents of a user, of a client or of the entire realm.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListConsentsV1, options?: CallOptions): Listed<F, ConsentV1>
  /**
   * Get a consent.
   *
   * Requires an API key of level `read`.
   */
  get(consentId: string, options?: CallOptions): Answer<F, ConsentV1>
  /**
   * Revoke a consent.
   *
   * The next time the client requests access, the user is asked again. Revokes the user's grants to the client. Events:
   * `oauth.consent.revoked`, then `oauth.grant.revoked` for each grant that was active.
   *
   * Requires an API key of level `write`.
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
