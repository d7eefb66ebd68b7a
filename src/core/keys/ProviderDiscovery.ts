import { Context, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { providerMetadata, tokenIssuerMetadata } from "#domain/oauth/ProviderMetadata"
import type { Realm } from "#domain/Realm"
import { Issuer } from "./Issuer.ts"
import { KeyRing } from "./KeyRing.ts"

/** The discovery documents of realms, as OpenID Providers or only as issuers of login tokens. */
export class ProviderDiscovery extends Context.Service<
  ProviderDiscovery,
  {
    /** The discovery document of a realm. `jwksUri`: the URL of the public keys, if it is not the default. */
    document(realm: Realm, jwksUri?: string): Effect.Effect<Claims>
  }
>()("sallyport/core/ProviderDiscovery") {
  static readonly layer = Layer.effect(
    ProviderDiscovery,
    Effect.gen(function* () {
      const issuer = yield* Issuer
      const keys = yield* KeyRing

      const document = Effect.fn("ProviderDiscovery.document")(function* (
        realm: Realm,
        jwksUri = issuer.jwksUri(realm.id)
      ) {
        const names = { issuer: issuer.of(realm.id), jwksUri }
        // A realm gets an rs256 key with its first OAuth client. Clients that register themselves read this document
        // before that.
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

      return ProviderDiscovery.of({ document })
    })
  )
}
