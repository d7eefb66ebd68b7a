// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { JwtKey } from "../types/JwtKey.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/jwt_keys`. */
export interface ListJwtKeys {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 100. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | undefined
  /** The sort direction: descending (`desc`, the default) or ascending (`asc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The parameters of `POST /v2/jwt_keys`. */
export interface CreateJwtKey {
  /** The signature algorithm: `hs256` (a shared secret) or `rs256` (RSA). */
  readonly algo: "hs256" | "rs256"
  /** The purpose of the key: always `sign`. */
  readonly use: "sign"
  /**
   * Your own key: a secret of 32 bytes to 255 characters (`hs256`), or an RSA private key of 2,048 to 8,192 bits in PEM
   * (`rs256`). Default: a generated key.
   */
  readonly key?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `DELETE /v2/jwt_keys/{key_id}`. */
export interface DeleteJwtKey {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Whether to delete the key immediately, instead of letting it verify for 6 to 24 hours. Tokens that it signed stop
   * verifying. Default: false.
   */
  readonly force?: boolean | undefined
}

/**
 * The keys that sign tokens. The oldest unexpired key signs. A new `rs256` key does not sign until it has been
 * published for a minute, because verifiers may cache the JWKS for that long.
 */
export interface JwtKeys<F extends Form> {
  /**
   * List JWT keys.
   *
   * Lists current and future signing keys, and expired keys that still verify tokens, newest first.
   *
   * Requires an API key of level `admin_realm`.
   */
  list(query?: ListJwtKeys, options?: CallOptions): Listed<F, JwtKey>
  /**
   * Create a JWT key.
   *
   * The key starts to sign when the realm's older keys are expired or deleted. If an older key was expired only
   * recently, a new rs256 key does not sign until a minute after its creation, so that verifiers know it first. To use
   * your own `key`, send a secret of at least 32 bytes for hs256 (used as its literal UTF-8 bytes), or a private key of
   * at least 2048 bits for rs256 (PEM, PKCS #8 or PKCS #1). If `key` is missing, a key is generated. Event:
   * `realm.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(jwtKey: CreateJwtKey, options?: CallOptions): Answer<F, JwtKey>
  /**
   * Get a JWT key.
   *
   * `key` is the secret for hs256 and the public key (PEM) for rs256.
   *
   * Requires an API key of level `admin_realm`.
   */
  get(keyId: string, options?: CallOptions): Answer<F, JwtKey>
  /**
   * Delete a JWT key.
   *
   * Without `force`, the key is expired. It no longer signs, but still verifies tokens: an hs256 key for six hours, or
   * for `session_minutes` up to a day; an rs256 key for a day and a minute, which is longer than any access token is
   * valid. An rs256 key continues to sign until its successor is a minute old. With `force`, the key is deleted, and
   * every node rejects its tokens within a second. Users and OAuth clients with these tokens must log in again or
   * refresh. Verifiers that cache the JWKS reject tokens of the next key for up to a minute, unless they fetch unknown
   * keys. If no other key is left to sign, a key with the same algorithm is created. Event: `realm.updated`, unless the
   * key was already expired.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(keyId: string, query?: DeleteJwtKey, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const jwtKeys = <F extends Form>(call: Call<F>): JwtKeys<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/jwt_keys" }, [], query, options),
  create: (jwtKey, options) =>
    call.one({ route: "POST /v2/jwt_keys", wrapper: "jwt_key", isCreate: true }, [], jwtKey, options),
  get: (keyId, options) => call.one({ route: "GET /v2/jwt_keys/{key_id}" }, [keyId], undefined, options),
  delete: (keyId, query, options) => call.one({ route: "DELETE /v2/jwt_keys/{key_id}" }, [keyId], query, options)
})
