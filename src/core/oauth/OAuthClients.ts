import { Context, Effect, Layer } from "effect"
import type { OAuthClient, OAuthClientNotFound } from "#domain/OAuthClient"
import { CurrentRealm } from "#domain/Realm"
import type { ClientWithSecrets } from "#store/OAuthClientsRepo"
import { CachedClients } from "../apps/CachedClients.ts"

/** The active OAuth clients of the realm, by their `client_id`. */
export class OAuthClients extends Context.Service<
  OAuthClients,
  {
    find(id: string): Effect.Effect<OAuthClient, OAuthClientNotFound, CurrentRealm>
    /** A client with its secrets, to check one. */
    findWithSecrets(id: string): Effect.Effect<ClientWithSecrets, OAuthClientNotFound, CurrentRealm>
  }
>()("sallyport/core/OAuthClients") {
  static readonly layer = Layer.effect(
    OAuthClients,
    Effect.map(CachedClients, (clients) => {
      const findWithSecrets = (id: string) => Effect.flatMap(CurrentRealm, (realm) => clients.find(realm.id, id))
      return OAuthClients.of({
        find: (id) => Effect.map(findWithSecrets(id), ({ client }) => client),
        findWithSecrets
      })
    })
  )
}
