import { Context, DateTime, Effect, Layer } from "effect"
import { isId, type LoginPolicyId, type RealmId } from "#domain/Ids"
import { type OAuthClient, OAuthClientNotFound } from "#domain/OAuthClient"
import { Transaction } from "#platform/Transaction"
import { makeTtlCache } from "#platform/TtlCache"
import { type ClientWithSecrets, OAuthClientsRepo } from "#store/OAuthClientsRepo"

/** The active OAuth clients, cached. Other nodes see changes within a second, as with keys (C32); a secret expires at once. */
export class CachedClients extends Context.Service<
  CachedClients,
  {
    find(realmId: RealmId, id: string): Effect.Effect<ClientWithSecrets, OAuthClientNotFound>
    /** To be called inside the transaction that changes a client. */
    invalidate(client: Pick<OAuthClient, "realmId" | "id">): Effect.Effect<void>
  }
>()("sallyport/core/CachedClients") {
  static readonly layer = Layer.effect(
    CachedClients,
    Effect.gen(function* () {
      const repo = yield* OAuthClientsRepo
      const transaction = yield* Transaction

      const keyOf = (realmId: RealmId, id: LoginPolicyId) => `${realmId} ${id}`
      const cache = yield* makeTtlCache((key: string) =>
        Effect.gen(function* () {
          const [realmId = "", id = ""] = key.split(" ")
          const now = yield* DateTime.now
          const isKey = isId("realm", realmId) && isId("loginPolicy", id)
          const found = isKey ? yield* repo.findWithSecrets(realmId, id, now) : undefined
          return found ?? (yield* new OAuthClientNotFound({ id }))
        })
      )

      const find = Effect.fnUntraced(function* (realmId: RealmId, id: string) {
        if (!isId("loginPolicy", id)) return yield* new OAuthClientNotFound({ id })
        const key = keyOf(realmId, id)
        const known = yield* cache.get(key)
        const isGood = known.goodUntil === null || DateTime.isLessThan(yield* DateTime.now, known.goodUntil)
        return isGood ? known : yield* cache.refresh(key)
      })

      return CachedClients.of({
        find,
        invalidate: ({ realmId, id }) => transaction.afterCommit(cache.invalidate(keyOf(realmId, id)))
      })
    })
  )
}
