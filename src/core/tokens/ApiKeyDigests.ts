import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import type { Place } from "#platform/SecretPlaces"
import { Secrets, SecretUnavailable } from "#platform/Secrets"
import { secretText } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ApiKeyPeppersRepo } from "#store/ApiKeyPeppersRepo"

/** How many realms' peppers are kept in memory. */
const CAPACITY = 10_000

const place = (realm: RealmId, row: string): Place => ({ table: "api_key_peppers", column: "secret", row, realm })

/**
 * HMAC-SHA256 under a secret of a realm, kept sealed: what API keys of users are looked up by (SEC-46), and whatever else a
 * dump must not let anyone guess at. It stays the same when the encryption key is rotated.
 */
export class ApiKeyDigests extends Context.Service<
  ApiKeyDigests,
  {
    /** The digest of a key in a realm, 32 bytes. Dies with `SecretUnavailable` when the realm's secret can't be opened. */
    digest(realmId: RealmId, key: string): Effect.Effect<Uint8Array>
    /** The same for what is only counted: where the realm's secret can't be opened, under one of this process. */
    digestToCount(realmId: RealmId, text: string): Effect.Effect<Uint8Array>
  }
>()("sallyport/core/ApiKeyDigests") {
  static readonly layer = Layer.effect(
    ApiKeyDigests,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const secrets = yield* Secrets
      const repo = yield* ApiKeyPeppersRepo
      const transaction = yield* Transaction
      const known = new Map<RealmId, KeyObject>()
      const ownPepper = createSecretKey(secretText(entropy), "utf8")

      const keep = (realmId: RealmId, pepper: KeyObject) =>
        Effect.sync(() => {
          const [oldest] = known.size >= CAPACITY ? known.keys() : []
          if (oldest !== undefined) known.delete(oldest)
          known.set(realmId, pepper)
        })

      // Of nodes that make one at the same time, all go on with the one that came first.
      const made = Effect.fnUntraced(function* (realmId: RealmId) {
        const secret = yield* secrets.seal(place(realmId, realmId), secretText(entropy))
        yield* repo.insert(realmId, { id: realmId, secret })
        return yield* repo.find(realmId)
      })

      const pepperOf = Effect.fnUntraced(function* (realmId: RealmId) {
        const sealed = (yield* repo.find(realmId)) ?? (yield* made(realmId))
        if (sealed === undefined) return yield* Effect.die(new Error("A pepper that was just made is not there."))
        const kept = place(realmId, sealed.id)
        const text = yield* secrets.open(kept, sealed.secret)
        if (text === null) return yield* Effect.die(new SecretUnavailable({ place: kept }))
        const pepper = createSecretKey(text, "utf8")
        // One that was made in a transaction is none before that commits.
        yield* transaction.afterCommit(keep(realmId, pepper))
        return pepper
      })

      const hmac = (pepper: KeyObject, text: string) => createHmac("sha256", pepper).update(text, "utf8").digest()

      const digest = (realmId: RealmId, key: string) =>
        Effect.suspend(() => {
          const pepper = known.get(realmId)
          return Effect.map(pepper === undefined ? pepperOf(realmId) : Effect.succeed(pepper), (found) =>
            hmac(found, key)
          )
        })

      const digestToCount = (realmId: RealmId, text: string) =>
        Effect.catchDefect(digest(realmId, text), (defect) =>
          defect instanceof SecretUnavailable ? Effect.succeed(hmac(ownPepper, text)) : Effect.die(defect)
        )

      return ApiKeyDigests.of({ digest, digestToCount })
    })
  )
}
