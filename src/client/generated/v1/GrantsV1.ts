// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { GrantV1 } from "../types/GrantV1.ts"

/** The parameters of `GET /v1/grants`. */
export interface ListGrantsV1 {
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
 * The access that users have given to OAuth clients. All tokens of one authorization belong to a grant, and they work
 * only while the grant is active.
 */
export interface GrantsV1<F extends Form> {
  /**
   * List grants.
   *
   * Lists the unexpired grants of a user, of a client or of the entire realm, including ended grants.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListGrantsV1, options?: CallOptions): Listed<F, GrantV1>
  /**
   * Get a grant.
   *
   * Requires an API key of level `read`.
   */
  get(grantId: string, options?: CallOptions): Answer<F, GrantV1>
  /**
   * Revoke a grant.
   *
   * The grant's tokens stop working immediately. Only resource servers that verify access tokens locally accept them
   * until they expire. Has no effect on a grant that has already ended. The user stays logged in to the client, which
   * may ask for access again; to prevent this, make the user or the client inactive. Event, if the grant was active:
   * `oauth.grant.revoked`.
   *
   * Requires an API key of level `write`.
   */
  delete(grantId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const grants = <F extends Form>(call: Call<F>): GrantsV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/grants" }, [], query, options),
  get: (grantId, options) => call.one({ route: "GET /v1/grants/{grant_id}" }, [grantId], undefined, options),
  delete: (grantId, options) => call.one({ route: "DELETE /v1/grants/{grant_id}" }, [grantId], undefined, options)
})
