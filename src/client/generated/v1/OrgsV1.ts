// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { NewOrgV1 } from "../types/NewOrgV1.ts"
import type { OrgInputV1 } from "../types/OrgInputV1.ts"
import type { OrgItemV1 } from "../types/OrgItemV1.ts"
import type { OrgV1 } from "../types/OrgV1.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v1/orgs`. */
export interface ListOrgsV1 {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by; names, emails and usernames regardless of case. Default: `name`. */
  readonly sort?: "id" | "name" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only items with exactly this reference. A blank value matches nothing. Default: all. */
  readonly reference?: string | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"custom"> | "custom" | undefined
}

/** The parameters of `POST /v1/orgs`. */
export interface CreateOrgV1 extends NewOrgV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v1/orgs/{org_id}`. */
export interface GetOrgV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"memberships"> | "memberships" | undefined
}

/** The parameters of `PUT /v1/orgs/{org_id}`. */
export interface UpdateOrgV1 extends OrgInputV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Organizations that users belong to. */
export interface OrgsV1<F extends Form> {
  /**
   * List orgs.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListOrgsV1, options?: CallOptions): Listed<F, OrgItemV1>
  /**
   * Create an org.
   *
   * With `user_ids` or `user`, also creates memberships with the given `permissions`. Events: `org.created`;
   * `user.created`; `membership.created` for each membership.
   *
   * Requires an API key of level `write`.
   */
  create(org: CreateOrgV1, options?: CallOptions): Answer<F, OrgV1>
  /**
   * Get an org.
   *
   * Requires an API key of level `read`.
   */
  get(orgId: string, query?: GetOrgV1, options?: CallOptions): Answer<F, OrgV1>
  /**
   * Update an org.
   *
   * Changes only the members you send. Event: `org.updated`.
   *
   * Requires an API key of level `write`.
   */
  update(orgId: string, org: UpdateOrgV1, options?: CallOptions): Answer<F, OrgV1>
  /**
   * Delete an org.
   *
   * Events: `org.deleted`; `domain.deleted` for each domain; `membership.deleted` for each membership.
   *
   * Requires an API key of level `write`.
   */
  delete(orgId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const orgs = <F extends Form>(call: Call<F>): OrgsV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/orgs" }, [], query, options),
  create: (org, options) => call.one({ route: "POST /v1/orgs", wrapper: "org", isCreate: true }, [], org, options),
  get: (orgId, query, options) => call.one({ route: "GET /v1/orgs/{org_id}" }, [orgId], query, options),
  update: (orgId, org, options) => call.one({ route: "PUT /v1/orgs/{org_id}", wrapper: "org" }, [orgId], org, options),
  delete: (orgId, options) => call.one({ route: "DELETE /v1/orgs/{org_id}" }, [orgId], undefined, options)
})
