import { Context, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { providerMetadata, tokenIssuerMetadata } from "#domain/oauth/ProviderMetadata"
import type { Realm } from "#domain/Realm"
import { Issuer } from "./Issuer.ts"
import { KeyRing } from "./KeyRing.ts"

/** What realms state about themselves: as OpenID Providers, or else as issuers of login tokens alone. */
export class ProviderDiscovery extends Context.Service<
  ProviderDiscovery,
  {
    /** The discovery document. `jwksUri`: where its reader gets the keys, if not below the issuer. */
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
        // The first OAuth client gives the realm such a key. Where clients register themselves, they look here before.
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
