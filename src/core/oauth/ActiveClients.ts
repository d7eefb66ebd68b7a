import { Context, Effect, Layer } from "effect"
import { clientIdOf, type OAuthClient, OAuthClientNotFound } from "#domain/clients/OAuthClient"
import { withRegistrationDefaults } from "#domain/clients/RegistrationDefaults"
import { CurrentRealm } from "#domain/Realm"
import type { ClientWithSecrets } from "#store/oauth/OAuthClientsRepo"
import { CachedClients } from "../apps/CachedClients.ts"

/** Finds active OAuth clients of the realm, including everything that they may request. */
export class ActiveClients extends Context.Service<
  ActiveClients,
  {
    /** Finds a client by its internal ID or its `client_id`. */
    find(id: string): Effect.Effect<OAuthClient, OAuthClientNotFound, CurrentRealm>
    /** Finds a client by its `client_id`, with the digests of its secrets. */
    findWithSecrets(id: string): Effect.Effect<ClientWithSecrets, OAuthClientNotFound, CurrentRealm>
  }
>()("sallyport/core/ActiveClients") {
  static readonly layer = Layer.effect(
    ActiveClients,
    Effect.map(CachedClients, (clients) => {
      const find = (id: string) =>
        Effect.flatMap(CurrentRealm, (realm) =>
          Effect.map(clients.find(realm.id, id), (found) => ({
            ...found,
            client: withRegistrationDefaults(found.client, realm)
          }))
        )
      return ActiveClients.of({
        find: (id) => Effect.map(find(id), ({ client }) => client),
        findWithSecrets: (id) =>
          Effect.filterOrFail(
            find(id),
            ({ client }) => clientIdOf(client) === id,
            () => new OAuthClientNotFound({ id })
          )
      })
    })
  )
}
