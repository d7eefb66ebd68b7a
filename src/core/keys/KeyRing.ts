import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isId, type JwtKeyId, type RealmId } from "#domain/Ids"
import { canSign, isGone, type JwtAlgorithm, type JwtKey } from "#domain/JwtKey"
import type { Realm } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"
import { type KeyMaterial, type PublicJwk, Signer, type SigningKey } from "#platform/Signer"
import { Transaction } from "#platform/Transaction"
import { freshCache } from "#platform/TtlCache"
import { JwtKeysRepo, type NewJwtKey } from "#store/JwtKeysRepo"

/** How many imported keys a node keeps. */
const MOST_IMPORTED = 10_000

/**
 * A realm's signing keys, kept in memory. The oldest unexpired one signs, whatever its algorithm (decision 31a). One that
 * can't be opened is passed over (SEC-104).
 */
export class KeyRing extends Context.Service<
  KeyRing,
  {
    /** The key that signs now, and that `jwt_key` and `jwt_algo` show; where none can be opened, the one that would. */
    current(realmId: RealmId): Effect.Effect<JwtKey>
    /** Signs a token. Where no key of the realm can be opened, one of the same algorithm is made for it. */
    sign(realmId: RealmId, claims: Claims): Effect.Effect<string>
    /** The key that verifies the tokens that name it: a current one, or one retired within the grace time (decision 32). */
    verifying(realm: Realm, kid: unknown): Effect.Effect<SigningKey | undefined>
    /** The public ones of all that verify. */
    jwks(realm: Realm): Effect.Effect<ReadonlyArray<PublicJwk>>
    /** What a new key consists of. An rs256 one takes its time: to be made before any transaction. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** Gives the realm a key, inside the transaction of the change that needs it. */
    add(realmId: RealmId, material: KeyMaterial): Effect.Effect<JwtKey>
    /** Gives the realm a key that signs from now on: all others are retired. */
    replace(realmId: RealmId, material: KeyMaterial): Effect.Effect<void>
    /** To be called inside the transaction that changes the realm's keys otherwise. */
    changed(realmId: RealmId): Effect.Effect<void>
  }
>()("sallyport/core/KeyRing") {
  static readonly layer = Layer.effect(
    KeyRing,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* JwtKeysRepo
      const signer = yield* Signer
      const transaction = yield* Transaction

      // What a key consists of never changes, but when it expired does: imported once, its row read anew.
      const imported = new Map<JwtKeyId, SigningKey>()
      const load = Effect.fnUntraced(function* (key: JwtKey) {
        const known = imported.get(key.id) ?? (yield* signer.load(key))
        if (imported.size >= MOST_IMPORTED) imported.clear()
        if (key.secret !== null) imported.set(key.id, known)
        return { ...known, key }
      })

      const rings = yield* freshCache((realmId: RealmId) => Effect.flatMap(repo.all(realmId), Effect.forEach(load)))

      /** The first key that is not retired, of those that can be opened if there are any. */
      const foremost = (realmId: RealmId): Effect.Effect<SigningKey> =>
        Effect.flatMap(rings.get(realmId), (ring) => {
          const signing = ring.find(({ key }) => canSign(key)) ?? ring.find(({ key }) => key.expiredAt === null)
          return signing === undefined
            ? Effect.die(new Error(`Realm ${realmId} has no signing key.`))
            : Effect.succeed(signing)
        })

      // A key signs from its first moment on, on the node that made it: no other may miss it for a second (SEC-44).
      const verifying = Effect.fnUntraced(function* (realm: Realm, kid: unknown) {
        if (typeof kid !== "string" || !isId("jwtKey", kid)) return undefined
        const named = (ring: ReadonlyArray<SigningKey>) => ring.find(({ key }) => key.id === kid)
        const known = named(yield* rings.get(realm.id)) ?? named(yield* rings.renew(realm.id))
        return known === undefined || isGone(known.key, realm.sessionMinutes, yield* DateTime.now) ? undefined : known
      })

      const jwks = Effect.fn("KeyRing.jwks")(function* (realm: Realm) {
        const now = yield* DateTime.now
        const published = (yield* rings.renew(realm.id)).filter(
          ({ key }) => key.algo === "rs256" && !isGone(key, realm.sessionMinutes, now)
        )
        return yield* Effect.forEach(
          published.flatMap(({ key: { id, publicKey, secret } }) => {
            const pem = publicKey ?? secret
            return pem === null ? [] : { id, pem }
          }),
          ({ id, pem }) => signer.publicJwk(pem, id)
        )
      })

      const changed = (realmId: RealmId) => transaction.afterCommit(rings.forget(realmId))

      const add = Effect.fn("KeyRing.add")(function* (realmId: RealmId, material: KeyMaterial) {
        const key: NewJwtKey = {
          id: yield* ids.make("jwtKey"),
          realmId,
          ...material,
          createdAt: yield* DateTime.now,
          expiredAt: null
        }
        yield* repo.insert(key)
        yield* changed(realmId)
        return key
      })

      // Without it nobody could log in any more. Nodes that do this at once make a key each, and the oldest signs.
      const signingKey = Effect.fnUntraced(function* (realmId: RealmId) {
        const found = yield* foremost(realmId)
        if (canSign(found.key)) return found
        yield* Effect.logError("no signing key can be decrypted: a new one is created", { realm: realmId })
        const material = yield* signer.generate(found.key.algo)
        return yield* transaction.run(Effect.flatMap(add(realmId, material), load))
      })

      const replace = Effect.fn("KeyRing.replace")(function* (realmId: RealmId, material: KeyMaterial) {
        const key = yield* add(realmId, material)
        yield* repo.expireOthers(key, key.createdAt)
      })

      return KeyRing.of({
        current: (realmId) => Effect.map(foremost(realmId), ({ key }) => key),
        sign: (realmId, claims) => Effect.flatMap(signingKey(realmId), (signing) => signing.sign(claims)),
        verifying,
        jwks,
        generate: signer.generate,
        add,
        replace,
        changed
      })
    })
  )
}
