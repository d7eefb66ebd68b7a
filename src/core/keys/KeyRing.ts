import { Cache, Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import type { RealmId } from "#domain/Ids"
import { graceMinutes, type JwtAlgorithm, type JwtKey } from "#domain/JwtKey"
import type { Realm } from "#domain/Realm"
import { freshCache } from "../FreshCache.ts"
import { FreshIds } from "../FreshIds.ts"
import { type PublicJwk, Signer, type SigningKey } from "../Signer.ts"
import { Transaction } from "../Transaction.ts"
import { JwtKeysRepo } from "./JwtKeysRepo.ts"

/** A realm's signing keys, kept in memory. The oldest unexpired one signs, whatever its algorithm (decision 31a). */
export class KeyRing extends Context.Service<
  KeyRing,
  {
    /** The key that signs now, and that `jwt_key` and `jwt_algo` show. */
    current(realmId: RealmId): Effect.Effect<JwtKey>
    sign(realmId: RealmId, claims: Claims): Effect.Effect<string>
    /** The public keys whose tokens verify: current ones and those retired within the grace time. */
    jwks(realm: Realm): Effect.Effect<ReadonlyArray<PublicJwk>>
    /** Makes a key of an algorithm, to be called inside the transaction of the change that needs it. */
    add(realmId: RealmId, algo: JwtAlgorithm): Effect.Effect<JwtKey>
    /** Makes the realm sign with an algorithm: a key of it, and all others retired. */
    change(realmId: RealmId, algo: JwtAlgorithm): Effect.Effect<void>
  }
>()("sallyport/core/KeyRing") {
  static readonly layer = Layer.effect(
    KeyRing,
    Effect.gen(function* () {
      const ids = yield* FreshIds
      const repo = yield* JwtKeysRepo
      const signer = yield* Signer
      const transaction = yield* Transaction

      const rings = yield* freshCache((realmId: RealmId) =>
        Effect.flatMap(repo.all(realmId), Effect.forEach(signer.load))
      )

      const signingKey = (realmId: RealmId): Effect.Effect<SigningKey> =>
        Effect.flatMap(Cache.get(rings, realmId), (ring) => {
          const signing = ring.find(({ key }) => key.expiredAt === null)
          return signing === undefined
            ? Effect.die(new Error(`Realm ${realmId} has no key that signs.`))
            : Effect.succeed(signing)
        })

      const jwks = Effect.fn("KeyRing.jwks")(function* (realm: Realm) {
        const ring = yield* Cache.get(rings, realm.id)
        const oldest = DateTime.subtract(yield* DateTime.now, { minutes: graceMinutes(realm.sessionMinutes) })
        const verifying = ring.filter(
          ({ key }) => key.algo === "rs256" && (key.expiredAt === null || DateTime.isGreaterThan(key.expiredAt, oldest))
        )
        return yield* Effect.forEach(verifying, ({ key }) => signer.publicJwk(key))
      })

      const add = Effect.fn("KeyRing.add")(function* (realmId: RealmId, algo: JwtAlgorithm) {
        const key: JwtKey = {
          id: yield* ids.make("jwtKey"),
          realmId,
          ...(yield* signer.generate(algo)),
          createdAt: yield* DateTime.now,
          expiredAt: null
        }
        yield* repo.insert(key)
        yield* transaction.afterCommit(Cache.invalidate(rings, realmId))
        return key
      })

      const change = Effect.fn("KeyRing.change")(function* (realmId: RealmId, algo: JwtAlgorithm) {
        yield* add(realmId, algo)
        yield* repo.expireOthers(realmId, algo, yield* DateTime.now)
      })

      return KeyRing.of({
        current: (realmId) => Effect.map(signingKey(realmId), ({ key }) => key),
        sign: (realmId, claims) => Effect.flatMap(signingKey(realmId), (signing) => signing.sign(claims)),
        jwks,
        add,
        change
      })
    })
  )
}
