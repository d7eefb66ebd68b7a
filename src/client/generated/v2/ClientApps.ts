// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Brand } from "../types/Brand.ts"
import type { ConnectedApp } from "../types/ConnectedApp.ts"
import type { ConnectedAppInput } from "../types/ConnectedAppInput.ts"
import type { ConnectedAppItem } from "../types/ConnectedAppItem.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/client_apps`. */
export interface ListClientApps {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 100. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by; names, emails and usernames regardless of case. Default: `name`. */
  readonly sort?: "id" | "name" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The parameters of `POST /v2/client_apps`. */
export interface CreateClientApp extends ConnectedAppInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/client_apps/{app_id}`. */
export interface UpdateClientApp extends ConnectedAppInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/client_apps/{app_id}/rotate_secret`. */
export interface RotateClientSecret {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/**
 * The hosted login pages of a realm, with their hosts, their appearance and the URLs they redirect to, and the realm's
 * OAuth clients: apps that people log in to with OpenID Connect, and programs that call APIs on their own behalf.
 */
export interface ClientApps<F extends Form> {
  /**
   * List client apps.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListClientApps, options?: CallOptions): Listed<F, ConnectedAppItem>
  /**
   * Create a client app.
   *
   * Sets the hosts, the appearance and the redirects of a realm's hosted login pages. `subdomain` is unique across all
   * realms, and is derived from the name by default. URLs must be https, or http on the browser's own machine;
   * `redirect_uris` and `logout_uris` can also use an app's own scheme, such as `com.example.app:/path`. With a
   * `client_type` other than `standard`, the app is an OAuth client without pages: its ID is the `client_id`, and
   * `client_secret` is only shown in this response. The first OAuth client of a realm adds an RS256 key, with the event
   * `realm.updated`. Event: `login_policy.created`. `login_handler` is optional.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(clientApp: CreateClientApp, options?: CallOptions): Answer<F, ConnectedApp>
  /**
   * Get a client app.
   *
   * Requires an API key of level `read`.
   */
  get(appId: string, options?: CallOptions): Answer<F, ConnectedApp>
  /**
   * Update a client app.
   *
   * Changes only the members you send. A new `subdomain` takes effect immediately. Event: `login_policy.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  update(appId: string, clientApp: UpdateClientApp, options?: CallOptions): Answer<F, ConnectedApp>
  /**
   * Delete a client app.
   *
   * Also deletes the app's domains, which become available to other apps. Event: `login_policy.deleted`.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(appId: string, options?: CallOptions): Answer<F, void>
  /**
   * Rotate an OAuth client's secret.
   *
   * The response contains the new `client_secret`, which is never shown again. The previous secret works for another 24
   * hours; older secrets stop working. Event: `oauth.client_secret.rotated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  rotateSecret(appId: string, body?: RotateClientSecret, options?: CallOptions): Answer<F, ConnectedApp>
  /**
   * Get a client app's brand.
   *
   * Returns the appearance of an app's pages and emails in the form in which an update takes it, with the logos as data
   * URLs. Send it as `client_app` to update another app, in this or another realm.
   *
   * Requires an API key of level `read`.
   */
  brand(appId: string, options?: CallOptions): Answer<F, Brand>
}

/** Creates the resource's functions from a function that calls the API. */
export const clientApps = <F extends Form>(call: Call<F>): ClientApps<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/client_apps" }, [], query, options),
  create: (clientApp, options) =>
    call.one({ route: "POST /v2/client_apps", wrapper: "client_app", isCreate: true }, [], clientApp, options),
  get: (appId, options) => call.one({ route: "GET /v2/client_apps/{app_id}" }, [appId], undefined, options),
  update: (appId, clientApp, options) =>
    call.one({ route: "PUT /v2/client_apps/{app_id}", wrapper: "client_app" }, [appId], clientApp, options),
  delete: (appId, options) => call.one({ route: "DELETE /v2/client_apps/{app_id}" }, [appId], undefined, options),
  rotateSecret: (appId, body, options) =>
    call.one({ route: "POST /v2/client_apps/{app_id}/rotate_secret" }, [appId], body, options),
  brand: (appId, options) => call.one({ route: "GET /v2/client_apps/{app_id}/brand" }, [appId], undefined, options)
})
