import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import { graceMinutes, type JwtAlgorithm, type JwtKey } from "#domain/JwtKey"
import type { Realm } from "#domain/Realm"
import { freshCache } from "../FreshCache.ts"
import { FreshIds } from "../FreshIds.ts"
import { type KeyMaterial, type PublicJwk, Signer, type SigningKey } from "../Signer.ts"
import { Transaction } from "../Transaction.ts"
import { JwtKeysRepo } from "./JwtKeysRepo.ts"

/** How many imported keys a node keeps. */
const MOST_IMPORTED = 10_000

/** A realm's signing keys, kept in memory. The oldest unexpired one signs, whatever its algorithm (decision 31a). */
export class KeyRing extends Context.Service<
  KeyRing,
  {
    /** The key that signs now, and that `jwt_key` and `jwt_algo` show. */
    current(realmId: RealmId): Effect.Effect<JwtKey>
    sign(realmId: RealmId, claims: Claims): Effect.Effect<string>
    /** The keys whose tokens verify: current ones and those retired within the grace time (decision 32). */
    verifying(realm: Realm): Effect.Effect<ReadonlyArray<SigningKey>>
    /** The public ones of them. */
    jwks(realm: Realm): Effect.Effect<ReadonlyArray<PublicJwk>>
    /** What a new key consists of. An rs256 one takes its time: to be made before any transaction. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** Gives the realm a key, inside the transaction of the change that needs it. */
    add(realmId: RealmId, material: KeyMaterial): Effect.Effect<JwtKey>
    /** Gives the realm a key that signs from now on: all others are retired. */
    replace(realmId: RealmId, material: KeyMaterial): Effect.Effect<void>
  }
>()("sallyport/core/KeyRing") {
  static readonly layer = Layer.effect(
    KeyRing,
    Effect.gen(function* () {
      const ids = yield* FreshIds
      const repo = yield* JwtKeysRepo
      const signer = yield* Signer
      const transaction = yield* Transaction

      // What a key consists of never changes, but when it expired does: imported once, its row read anew.
      const imported = new Map<JwtKeyId, SigningKey>()
      const load = Effect.fnUntraced(function* (key: JwtKey) {
        const known = imported.get(key.id) ?? (yield* signer.load(key))
        if (imported.size >= MOST_IMPORTED) imported.clear()
        imported.set(key.id, known)
        return { ...known, key }
      })

      const rings = yield* freshCache((realmId: RealmId) => Effect.flatMap(repo.all(realmId), Effect.forEach(load)))

      const signingKey = (realmId: RealmId): Effect.Effect<SigningKey> =>
        Effect.flatMap(rings.get(realmId), (ring) => {
          const signing = ring.find(({ key }) => key.expiredAt === null)
          return signing === undefined
            ? Effect.die(new Error(`Realm ${realmId} has no key that signs.`))
            : Effect.succeed(signing)
        })

      const verifying = Effect.fnUntraced(function* (realm: Realm) {
        const ring = yield* rings.get(realm.id)
        const oldest = DateTime.subtract(yield* DateTime.now, { minutes: graceMinutes(realm.sessionMinutes) })
        return ring.filter(({ key }) => key.expiredAt === null || DateTime.isGreaterThan(key.expiredAt, oldest))
      })

      const jwks = Effect.fn("KeyRing.jwks")(function* (realm: Realm) {
        const published = (yield* verifying(realm)).filter(({ key }) => key.algo === "rs256")
        return yield* Effect.forEach(published, ({ key }) => signer.publicJwk(key))
      })

      const add = Effect.fn("KeyRing.add")(function* (realmId: RealmId, material: KeyMaterial) {
        const key: JwtKey = {
          id: yield* ids.make("jwtKey"),
          realmId,
          ...material,
          createdAt: yield* DateTime.now,
          expiredAt: null
        }
        yield* repo.insert(key)
        yield* transaction.afterCommit(rings.forget(realmId))
        return key
      })

      const replace = Effect.fn("KeyRing.replace")(function* (realmId: RealmId, material: KeyMaterial) {
        const key = yield* add(realmId, material)
        yield* repo.expireOthers(key, key.createdAt)
      })

      return KeyRing.of({
        current: (realmId) => Effect.map(signingKey(realmId), ({ key }) => key),
        sign: (realmId, claims) => Effect.flatMap(signingKey(realmId), (signing) => signing.sign(claims)),
        verifying,
        jwks,
        generate: signer.generate,
        add,
        replace
      })
    })
  )
}
