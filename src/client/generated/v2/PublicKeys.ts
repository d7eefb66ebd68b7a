// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Discovery } from "../types/Discovery.ts"
import type { Jwks } from "../types/Jwks.ts"

/**
 * The keys and metadata for verifying a realm's tokens, available to everyone without an API key. Responses may be
 * cached for a minute.
 *
 * Called on the host of a connected app: set `url` in the options or in the client to its URL.
 */
export interface PublicKeys<F extends Form> {
  /**
   * Get a realm's public keys.
   *
   * The JWKS of the realm. A verifier that encounters an unknown `kid` should fetch it again, because keys are replaced
   * without notice.
   */
  jwks(realmId: string, options?: CallOptions): Answer<F, Jwks>
  /**
   * Get a realm's discovery document.
   *
   * Contains the issuer of the realm's tokens, the address of its public keys, and the features that OAuth clients can
   * use (OpenID Connect Discovery, RFC 8414).
   */
  discovery(realmId: string, options?: CallOptions): Answer<F, Discovery>
  /**
   * Get a realm's authorization server metadata.
   *
   * Contains the issuer of the realm's tokens, the address of its public keys, and the features that OAuth clients can
   * use (OpenID Connect Discovery, RFC 8414).
   */
  serverMetadata(realmId: string, options?: CallOptions): Answer<F, Discovery>
  /**
   * Get a realm's discovery document.
   *
   * Contains the issuer of the realm's tokens, the address of its public keys, and the features that OAuth clients can
   * use (OpenID Connect Discovery, RFC 8414). The same document, at an address where some clients look for it.
   */
  rootDiscovery(realmId: string, options?: CallOptions): Answer<F, Discovery>
  /**
   * Get a realm's public keys.
   *
   * The JWKS of the realm. A verifier that encounters an unknown `kid` should fetch it again, because keys are replaced
   * without notice. On the host of an app, the realm is the app's realm.
   */
  appJwks(options?: CallOptions): Answer<F, Jwks>
  /**
   * Get a realm's discovery document.
   *
   * Contains the issuer of the realm's tokens, the address of its public keys, and the features that OAuth clients can
   * use (OpenID Connect Discovery, RFC 8414). On the host of an app, the realm is the app's realm.
   */
  appDiscovery(options?: CallOptions): Answer<F, Discovery>
}

/** Creates the resource's functions from a function that calls the API. */
export const publicKeys = <F extends Form>(call: Call<F>): PublicKeys<F> => ({
  jwks: (realmId, options) =>
    call.one({ route: "GET /realms/{realm_id}/jwks", realm: "none", isOpen: true }, [realmId], undefined, options),
  discovery: (realmId, options) =>
    call.one(
      { route: "GET /realms/{realm_id}/.well-known/openid-configuration", realm: "none", isOpen: true },
      [realmId],
      undefined,
      options
    ),
  serverMetadata: (realmId, options) =>
    call.one(
      { route: "GET /.well-known/oauth-authorization-server/realms/{realm_id}", realm: "none", isOpen: true },
      [realmId],
      undefined,
      options
    ),
  rootDiscovery: (realmId, options) =>
    call.one(
      { route: "GET /.well-known/openid-configuration/realms/{realm_id}", realm: "none", isOpen: true },
      [realmId],
      undefined,
      options
    ),
  appJwks: (options) => call.one({ route: "GET /connect/jwks", realm: "none", isOpen: true }, [], undefined, options),
  appDiscovery: (options) =>
    call.one({ route: "GET /.well-known/openid-configuration", realm: "none", isOpen: true }, [], undefined, options)
})
