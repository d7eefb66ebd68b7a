// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { NewOrg } from "../types/NewOrg.ts"
import type { Org } from "../types/Org.ts"
import type { OrgInput } from "../types/OrgInput.ts"
import type { OrgItem } from "../types/OrgItem.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/orgs`. */
export interface ListOrgs {
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
  /**
   * A search text of up to 200 characters. Returns the items for which one of the texts named above begins with it,
   * regardless of case, with exact matches first. Returns at most 20 items unless `max_results` is set; `more_results`
   * is true if there are more matches. Can only be combined with `state`, `expand`, `max_results` and `realm_id`.
   * Default, or if blank: all items.
   */
  readonly search?: string | undefined
  /** Return only items with exactly this reference. A blank value matches nothing. Default: all. */
  readonly reference?: string | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | "closed" | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?:
    | ReadonlyArray<"custom" | "membership_count" | "total_results">
    | "custom"
    | "membership_count"
    | "total_results"
    | undefined
}

/** The parameters of `POST /v2/orgs`. */
export interface CreateOrg extends NewOrg {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/orgs/{org_id}`. */
export interface GetOrg {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"memberships" | "custom"> | "memberships" | "custom" | undefined
}

/** The parameters of `PUT /v2/orgs/{org_id}`. */
export interface UpdateOrg extends OrgInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `DELETE /v2/orgs/{org_id}`. */
export interface DeleteOrg {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Whether to delete the org instead of closing it. Default: false. */
  readonly force?: boolean | undefined
}

/** Organizations that users belong to. */
export interface Orgs<F extends Form> {
  /**
   * List orgs.
   *
   * `search` matches the beginning of an org's name, ID or reference. References are case-sensitive.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListOrgs, options?: CallOptions): Listed<F, OrgItem>
  /**
   * Create an org.
   *
   * With `user_ids` or `user`, also creates memberships with the given `permissions`. Events: `org.created`;
   * `user.created`; `membership.created` for each membership.
   *
   * Requires an API key of level `write`.
   */
  create(org: CreateOrg, options?: CallOptions): Answer<F, Org>
  /**
   * Get an org.
   *
   * Requires an API key of level `read`.
   */
  get(orgId: string, query?: GetOrg, options?: CallOptions): Answer<F, Org>
  /**
   * Update an org.
   *
   * Changes only the members you send. `state: closed` is permanent. Event: `org.updated`.
   *
   * Requires an API key of level `write`.
   */
  update(orgId: string, org: UpdateOrg, options?: CallOptions): Answer<F, Org>
  /**
   * Close or delete an org.
   *
   * Without `force`, the org is permanently closed (200, events `org.updated` and `domain.deleted` for each domain).
   * With `force`, it is deleted (202, events `org.deleted`, `domain.deleted` for each domain and `membership.deleted`
   * for each membership).
   *
   * Requires an API key of level `write`.
   */
  delete(orgId: string, query?: DeleteOrg, options?: CallOptions): Answer<F, Org | undefined>
}

/** Creates the resource's functions from a function that calls the API. */
export const orgs = <F extends Form>(call: Call<F>): Orgs<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/orgs" }, [], query, options),
  create: (org, options) => call.one({ route: "POST /v2/orgs", wrapper: "org", isCreate: true }, [], org, options),
  get: (orgId, query, options) => call.one({ route: "GET /v2/orgs/{org_id}" }, [orgId], query, options),
  update: (orgId, org, options) => call.one({ route: "PUT /v2/orgs/{org_id}", wrapper: "org" }, [orgId], org, options),
  delete: (orgId, query, options) => call.one({ route: "DELETE /v2/orgs/{org_id}" }, [orgId], query, options)
})
