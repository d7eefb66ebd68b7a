// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Membership } from "../types/Membership.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/memberships`. */
export interface ListMemberships {
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
  /** The org's ID. */
  readonly org_id?: string | undefined
  /**
   * The user's ID. In the path of users, it can also be an email (`/v2`) or a username (`/v1`). As a filter, it can
   * also be an email or, under `/v1`, a username. A list filtered by an unknown user is empty.
   */
  readonly user_id?: string | undefined
}

/** The parameters of `POST /v2/memberships`. */
export interface CreateMembership {
  /** The org's ID. Can't be changed later. */
  readonly org_id: string
  /** The user's ID. Can't be changed later; a user can have one membership in each org. */
  readonly user_id: string
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /** Unix time in seconds, in the future, at which the membership expires. Default, and null: never. */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/memberships/{membership_id}`. */
export interface UpdateMembership {
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /** Unix time in seconds, in the future, at which the membership expires. Default, and null: never. */
  readonly expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Links between users and orgs, with permission tags. */
export interface Memberships<F extends Form> {
  /**
   * List memberships.
   *
   * Filters by org, user or both; at least one is required. A list filtered by org includes the users, and a list
   * filtered by user includes the orgs. A list filtered by both includes neither.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListMemberships, options?: CallOptions): Listed<F, Membership>
  /**
   * Create a membership.
   *
   * Links a user to an org. Event: `membership.created`.
   *
   * Requires an API key of level `write`.
   */
  create(membership: CreateMembership, options?: CallOptions): Answer<F, Membership>
  /**
   * Get a membership.
   *
   * Requires an API key of level `read`.
   */
  get(membershipId: string, options?: CallOptions): Answer<F, Membership>
  /**
   * Update a membership.
   *
   * Changes the membership's permissions and expiry. The user and the org can't be changed. Event:
   * `membership.updated`.
   *
   * Requires an API key of level `write`.
   */
  update(membershipId: string, membership: UpdateMembership, options?: CallOptions): Answer<F, Membership>
  /**
   * Delete a membership.
   *
   * Event: `membership.deleted`.
   *
   * Requires an API key of level `write`.
   */
  delete(membershipId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const memberships = <F extends Form>(call: Call<F>): Memberships<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/memberships" }, [], query, options),
  create: (membership, options) =>
    call.one({ route: "POST /v2/memberships", wrapper: "membership", isCreate: true }, [], membership, options),
  get: (membershipId, options) =>
    call.one({ route: "GET /v2/memberships/{membership_id}" }, [membershipId], undefined, options),
  update: (membershipId, membership, options) =>
    call.one(
      { route: "PUT /v2/memberships/{membership_id}", wrapper: "membership" },
      [membershipId],
      membership,
      options
    ),
  delete: (membershipId, options) =>
    call.one({ route: "DELETE /v2/memberships/{membership_id}" }, [membershipId], undefined, options)
})
