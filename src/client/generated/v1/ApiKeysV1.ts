// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { ApiKey } from "../types/ApiKey.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v1/api_keys`. */
export interface ListApiKeysV1 {
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
}

/** The parameters of `POST /v1/api_keys`. */
export interface CreateApiKeyV1 {
  /** Your name for the key. */
  readonly name: string
  /**
   * The permissions of the key. Each level includes the previous ones: `read`, `write`, `admin_realm` (settings of a
   * realm), `admin_all_realms` (realms themselves). Can't be higher than the level of the caller's key.
   */
  readonly level: "read" | "write" | "admin_realm" | "admin_all_realms"
  /**
   * The ID of the realm to lock the key to. A locked key can't have the level `admin_all_realms`. Default, and null:
   * the realm in the header or of the caller's key. If there is neither, the key is for all realms, which requires a
   * caller's key of that level.
   */
  readonly realm_id?: string | null | undefined
  /** Unix time in seconds, in the future, at which the key expires. Default: never. */
  readonly expires_at?: number | null | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Keys that authenticate callers of this API. */
export interface ApiKeysV1<F extends Form> {
  /**
   * List API keys.
   *
   * Lists the keys that the caller can manage.
   *
   * Requires an API key of level `admin_realm`.
   */
  list(query?: ListApiKeysV1, options?: CallOptions): Listed<F, ApiKey>
  /**
   * Create an API key.
   *
   * The key is only shown in this response. At most 1,000 keys, including expired ones, can be locked to one realm.
   * Returns 422 with the code `too_many_api_keys` if there are more.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(apiKey: CreateApiKeyV1, options?: CallOptions): Answer<F, ApiKey & { readonly key: string }>
  /**
   * Get an API key.
   *
   * Requires an API key of level `admin_realm`.
   */
  get(apiKeyId: string, options?: CallOptions): Answer<F, ApiKey>
  /**
   * Delete an API key.
   *
   * The key stops working immediately.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(apiKeyId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const apiKeys = <F extends Form>(call: Call<F>): ApiKeysV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/api_keys" }, [], query, options),
  create: (apiKey, options) =>
    call.one({ route: "POST /v1/api_keys", wrapper: "api_key", realm: "body", isCreate: true }, [], apiKey, options),
  get: (apiKeyId, options) => call.one({ route: "GET /v1/api_keys/{api_key_id}" }, [apiKeyId], undefined, options),
  delete: (apiKeyId, options) => call.one({ route: "DELETE /v1/api_keys/{api_key_id}" }, [apiKeyId], undefined, options)
})
