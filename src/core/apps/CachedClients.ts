import { Context, DateTime, Effect, Layer } from "effect"
import { isDocumentUrl } from "#domain/clients/ClientRegistration"
import { clientIdOf, type OAuthClient, OAuthClientNotFound } from "#domain/clients/OAuthClient"
import { isId, type RealmId } from "#domain/Ids"
import { Transaction } from "#platform/Transaction"
import { type ClientWithSecrets, OAuthClientsRepo } from "#store/oauth/OAuthClientsRepo"
import { makeRealmCache } from "../caches/RealmCache.ts"

/**
 * A cache of active OAuth clients. As with API keys, changes made on other nodes are visible within a second (C32). An expired
 * secret is never accepted, even from the cache.
 */
export class CachedClients extends Context.Service<
  CachedClients,
  {
    /** Finds a client by its ID or by the URL of its metadata document. */
    find(realmId: RealmId, id: string): Effect.Effect<ClientWithSecrets, OAuthClientNotFound>
    /** Removes a client from the cache once the transaction commits. Call it inside the transaction that changes the client. */
    invalidate(client: Pick<OAuthClient, "realmId" | "id" | "registration">): Effect.Effect<void>
  }
>()("sallyport/core/CachedClients") {
  static readonly layer = Layer.effect(
    CachedClients,
    Effect.gen(function* () {
      const repo = yield* OAuthClientsRepo
      const transaction = yield* Transaction

      const keyOf = (realmId: RealmId, id: string) => `${realmId} ${id}`
      const realmOf = (key: string) => key.slice(0, key.indexOf(" "))
      const cache = yield* makeRealmCache("oauth_clients", realmOf, (key) =>
        Effect.gen(function* () {
          const [realmId = "", id = ""] = key.split(" ")
          const now = yield* DateTime.now
          const found = isId("realm", realmId) ? yield* repo.findWithSecrets(realmId, id, now) : undefined
          return found ?? (yield* new OAuthClientNotFound({ id }))
        })
      )

      const find = Effect.fnUntraced(function* (realmId: RealmId, id: string) {
        if (!isId("app", id) && !isDocumentUrl(id)) return yield* new OAuthClientNotFound({ id })
        const key = keyOf(realmId, id)
        const known = yield* cache.get(key)
        const isValid = known.validUntil === null || DateTime.isLessThan(yield* DateTime.now, known.validUntil)
        return isValid ? known : yield* cache.refresh(key)
      })

      return CachedClients.of({
        find,
        invalidate: (client) =>
          transaction.afterCommit(
            Effect.forEach([client.id, clientIdOf(client)], (id) => cache.invalidate(keyOf(client.realmId, id)), {
              discard: true
            })
          )
      })
    })
  )
}
