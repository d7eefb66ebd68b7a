import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets, SecretUnavailable } from "#platform/Secrets"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ApiKeyPeppersRepo } from "#store/access/ApiKeyPeppersRepo"

/** The maximum number of realms whose peppers are cached. */
const CAPACITY = 10_000

const locationOf = (realm: RealmId, row: string): SecretLocation => ({
  table: "api_key_peppers",
  column: "secret",
  row,
  realm
})

/**
 * Computes HMAC-SHA256 digests with a pepper for each realm, which is stored encrypted. They are used to look up users' API
 * keys (SEC-46) and other data that must not be guessable from a database dump. Rotating the encryption key does not change
 * the digests.
 */
export class ApiKeyDigests extends Context.Service<
  ApiKeyDigests,
  {
    /**
     * Returns the digest of a key in a realm, with 32 bytes. Dies with `SecretUnavailable` if the realm's pepper can't be
     * decrypted.
     */
    digest(realmId: RealmId, key: string): Effect.Effect<Uint8Array>
    /**
     * Returns a digest to be used only for counters. If the realm's pepper can't be decrypted, uses a random pepper of this
     * process.
     */
    digestForCounting(realmId: RealmId, text: string): Effect.Effect<Uint8Array>
  }
>()("sallyport/core/ApiKeyDigests") {
  static readonly layer = Layer.effect(
    ApiKeyDigests,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const secrets = yield* Secrets
      const repo = yield* ApiKeyPeppersRepo
      const transaction = yield* Transaction
      const peppers = new Map<RealmId, KeyObject>()
      const ownPepper = createSecretKey(randomSecret(entropy), "utf8")

      const cachePepper = (realmId: RealmId, pepper: KeyObject) =>
        Effect.sync(() => {
          const [oldest] = peppers.size >= CAPACITY ? peppers.keys() : []
          if (oldest !== undefined) peppers.delete(oldest)
          peppers.set(realmId, pepper)
        })

      // If several nodes create a pepper at the same time, the first one wins.
      const createPepper = Effect.fnUntraced(function* (realmId: RealmId) {
        const secret = yield* secrets.encrypt(locationOf(realmId, realmId), randomSecret(entropy))
        yield* repo.insert(realmId, { id: realmId, secret })
        return yield* repo.find(realmId)
      })

      const pepperOf = Effect.fnUntraced(function* (realmId: RealmId) {
        const row = (yield* repo.find(realmId)) ?? (yield* createPepper(realmId))
        if (row === undefined) return yield* Effect.die(new Error("A newly created pepper can't be found."))
        const location = locationOf(realmId, row.id)
        const text = yield* secrets.decrypt(location, row.secret)
        if (text === null) return yield* Effect.die(new SecretUnavailable({ location }))
        const pepper = createSecretKey(text, "utf8")
        // A pepper created in a transaction is not valid before the commit, so don't cache it earlier.
        yield* transaction.afterCommit(cachePepper(realmId, pepper))
        return pepper
      })

      const hmac = (pepper: KeyObject, text: string) => createHmac("sha256", pepper).update(text, "utf8").digest()

      const digest = (realmId: RealmId, key: string) =>
        Effect.suspend(() => {
          const pepper = peppers.get(realmId)
          return Effect.map(pepper === undefined ? pepperOf(realmId) : Effect.succeed(pepper), (found) =>
            hmac(found, key)
          )
        })

      const digestForCounting = (realmId: RealmId, text: string) =>
        Effect.catchDefect(digest(realmId, text), (defect) =>
          defect instanceof SecretUnavailable ? Effect.succeed(hmac(ownPepper, text)) : Effect.die(defect)
        )

      return ApiKeyDigests.of({ digest, digestForCounting })
    })
  )
}
