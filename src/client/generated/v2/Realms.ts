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
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. A blank one counts as none; text that is neither is 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by; names, e-mails and usernames regardless of case. Default: `name`. */
  readonly sort?: "id" | "name" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only items with exactly this reference; none if it is blank. Default: all. */
  readonly reference?: string | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * What else to include: any of these, repeated or separated by commas. What is always included may be named, too.
   * Default: nothing.
   */
  readonly expand?: ReadonlyArray<"custom"> | "custom" | undefined
}

/** The parameters of `POST /v2/realms`. */
export interface CreateRealm extends RealmInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/realms/{realm_id}`. */
export interface GetRealm {
  /**
   * What else to include: any of these, repeated or separated by commas. What is always included may be named, too.
   * Default: nothing.
   */
  readonly expand?: ReadonlyArray<"custom"> | "custom" | undefined
}

/** The parameters of `PUT /v2/realms/{realm_id}`. */
export interface UpdateRealm extends RealmInput {
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/realms/{realm_id}/reset`. */
export interface ResetRealm {
  /** Whether to delete hooks; the default ones are made anew. Default: false. */
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
  /** Whether to delete users, with all that belongs to them. Default: true. */
  readonly users?: boolean | null | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/realms/{realm_id}/statistics`. */
export interface StatisticsRealm {
  /** The length of each interval: `day` or `hour`. Default: `day`. */
  readonly interval?: "day" | "hour" | undefined
  /**
   * Unix time in seconds in the first interval. Default: so that there are seven days or 24 hours, the last one
   * included.
   */
  readonly from?: number | undefined
  /** Unix time in seconds at which the last interval ends. Default: now. */
  readonly to?: number | undefined
}

/** The top-level containers. Everything else belongs to one. */
export interface Realms<F extends Form> {
  /**
   * List realms.
   *
   * A key locked to a realm sees only that realm.
   *
   * Requires a key of level `read`.
   */
  list(query?: ListRealms, options?: CallOptions): Listed<F, RealmItem>
  /**
   * Create a realm.
   *
   * Also creates its signing key and its `password`, `totp` and `passkey` providers. Events: `realm.created`, and
   * `auth_provider.created` for each provider.
   *
   * Requires a key of level `admin_all_realms`.
   */
  create(realm: CreateRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Get a realm.
   *
   * Requires a key of level `read`.
   */
  get(realmId: string, query?: GetRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Update a realm.
   *
   * Changes only the members sent. Event: `realm.updated`.
   *
   * Requires a key of level `admin_realm`.
   */
  update(realmId: string, realm: UpdateRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Delete a realm.
   *
   * The realm and everything in it can no longer be found, effective immediately. Event: `realm.deleted`.
   *
   * Requires a key of level `admin_all_realms`.
   */
  delete(realmId: string, options?: CallOptions): Answer<F, void>
  /**
   * Reset a realm.
   *
   * Deletes all current `users` and `orgs`, unless set to false, and all `auth_providers`, `app_hooks` and
   * `login_policies` that are set to true. Callers can no longer find them, effective immediately; they are deleted in
   * the background, and anything created from now on is kept. Event: `realm.reset`, which `/v1` does not show. 409
   * while another reset is in progress.
   *
   * Requires a key of level `admin_realm`.
   */
  reset(realmId: string, body?: ResetRealm, options?: CallOptions): Answer<F, Realm>
  /**
   * Get a realm's statistics.
   *
   * What happened in the realm, by day or by hour of UTC: logins, new users, deliveries of its own hooks. As far as its
   * events are kept (`event_retention_days`). At most 31 days, or 48 hours with `interval=hour`.
   *
   * Requires a key of level `read`.
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
