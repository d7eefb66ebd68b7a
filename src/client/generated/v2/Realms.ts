// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Realm } from "../types/Realm.ts"
import type { RealmInput } from "../types/RealmInput.ts"
import type { RealmItem } from "../types/RealmItem.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { Statistics } from "../types/Statistics.ts"

/** The parameters of `GET /v2/realms`. */
export interface ListRealms {
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

/** The parameters of `POST /v2/realms`. */
export interface CreateRealm extends RealmInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/realms/{realm_id}`. */
export interface GetRealm {
  /**
   * Related data to include: any of these values, repeated or separated by commas. Values that are always included are
   * also accepted. Default: none.
   */
  readonly expand?: ReadonlyArray<"custom"> | "custom" | undefined
}

/** The parameters of `PUT /v2/realms/{realm_id}`. */
export interface UpdateRealm extends RealmInput {
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/realms/{realm_id}/reset`. */
export interface ResetRealm {
  /** Whether to delete hooks. The default hooks are recreated. Default: false. */
  readonly app_hooks?: boolean | null | undefined
  /**
   * Whether to delete external auth providers, and restore the defaults of `password`, `totp` and `passkey`. Default:
   * false.
   */
  readonly auth_providers?: boolean | null | undefined
  /** Whether to delete connected apps. Default: false. */
  readonly login_policies?: boolean | null | undefined
  /** Whether to delete orgs, with their memberships and invitations. Default: true. */
  readonly orgs?: boolean | null | undefined
  /** Whether to delete users, with everything that belongs to them. Default: true. */
  readonly users?: boolean | null | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/realms/{realm_id}/statistics`. */
export interface StatisticsRealm {
  /** The length of each interval: `hour`, `day` or `month`. Default: `day`. */
  readonly interval?: "day" | "hour" | "month" | undefined
  /**
   * Unix time in seconds within the first interval. Default: seven days, 24 hours or twelve months in total, including
   * the last interval.
   */
  readonly from?: number | undefined
  /** Unix time in seconds at which the last interval ends. Default: now. */
  readonly to?: number | undefined
}

/** The top-level containers for all other resources. */
export interface Realms<F extends Form> {
  /**
   * List realms.
   *
   * With a key that is locked to a realm, returns only that realm.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListRealms, options?: CallOptions): Listed<F, RealmItem>
  /**
   * Create a realm.
   *
   * Also creates its signing key and its `password`, `totp` and `passkey` providers. Events: `realm.created`, and
   * `auth_provider.created` for each provider.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  create(realm: CreateRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Get a realm.
   *
   * Requires an API key of level `read`.
   */
  get(realmId: string, query?: GetRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Update a realm.
   *
   * Changes only the members you send. Event: `realm.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  update(realmId: string, realm: UpdateRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Delete a realm.
   *
   * Deletes the realm and everything in it, effective immediately. Event: `realm.deleted`.
   *
   * Requires an API key of level `admin_all_realms`.
   */
  delete(realmId: string, options?: CallOptions): Answer<F, void>
  /**
   * Reset a realm.
   *
   * Deletes all current `users` and `orgs` unless they are set to false, and all current `auth_providers`, `app_hooks`
   * and `login_policies` if they are set to true. The resources can no longer be found, effective immediately, and are
   * deleted in the background. Resources created after the request are not affected. Returns 409 while another reset is
   * in progress. Event: `realm.reset`, which `/v1` does not show.
   *
   * Requires an API key of level `admin_realm`.
   */
  reset(realmId: string, body?: ResetRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Get a realm's statistics.
   *
   * Returns the activity in the realm by hour, day or month (UTC): logins and their methods, active users, new users,
   * and deliveries of the realm's own hooks. Statistics are available as long as the realm's events are stored
   * (`event_retention_days`). The maximum is 31 days, 48 hours with `interval=hour`, or 12 months with
   * `interval=month`.
   *
   * Requires an API key of level `read`.
   */
  statistics(realmId: string, query?: StatisticsRealm, options?: CallOptions): Answer<F, Statistics>
}

/** Creates the resource's functions from a function that calls the API. */
export const realms = <F extends Form>(call: Call<F>): Realms<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/realms", realm: "none" }, [], query, options),
  create: (realm, options) =>
    call.one({ route: "POST /v2/realms", wrapper: "realm", realm: "none", isCreate: true }, [], realm, options),
  get: (realmId, query, options) =>
    call.one({ route: "GET /v2/realms/{realm_id}", realm: "none" }, [realmId], query, options),
  update: (realmId, realm, options) =>
    call.one({ route: "PUT /v2/realms/{realm_id}", wrapper: "realm", realm: "none" }, [realmId], realm, options),
  delete: (realmId, options) =>
    call.one({ route: "DELETE /v2/realms/{realm_id}", realm: "none" }, [realmId], undefined, options),
  reset: (realmId, body, options) =>
    call.one({ route: "POST /v2/realms/{realm_id}/reset", realm: "none" }, [realmId], body, options),
  statistics: (realmId, query, options) =>
    call.one({ route: "GET /v2/realms/{realm_id}/statistics", realm: "none" }, [realmId], query, options)
})
