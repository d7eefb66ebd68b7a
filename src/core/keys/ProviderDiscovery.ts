import { Effect } from "effect"
import { providerMetadata, tokenIssuerMetadata } from "#domain/oauth/ProviderMetadata"
import type { Realm } from "#domain/Realm"
import { Issuer } from "./Issuer.ts"
import { KeyRing } from "./KeyRing.ts"

/**
 * Makes the operation that returns a realm's discovery document. The document describes an OpenID Provider or, if the realm
 * has no key for OAuth clients yet, only an issuer of login tokens. `jwksUri` is the URL of the public keys, if it is not the
 * default.
 */
export const providerDiscovery = Effect.gen(function* () {
  const issuer = yield* Issuer
  const keys = yield* KeyRing

  return Effect.fn("ProviderDiscovery.document")(function* (realm: Realm, jwksUri = issuer.jwksUri(realm.id)) {
    const names = { issuer: issuer.of(realm.id), jwksUri }
    // A realm gets its rs256 key with its first OAuth client, but clients that register themselves read this document before
    // that.
    if (realm.clientRegistration === "off" && !(yield* keys.hasRs256(realm.id))) {
      const { algo } = yield* keys.current(realm.id)
      return tokenIssuerMetadata({ ...names, algorithm: algo.toUpperCase() })
    }
    const endpoint = (name: Parameters<Issuer["Service"]["endpoint"]>[0]) => issuer.endpoint(name, realm.id)
    return providerMetadata({
      ...names,
      endpoint,
      scopes: realm.oauthScopes,
      registration: realm.clientRegistration
    })
  })
})
