import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isId, type JwtKeyId, type RealmId } from "#domain/Ids"
import { isPastGrace, type JwtAlgorithm, type JwtKey, substituteFor } from "#domain/JwtKey"
import type { Realm } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"
import { LruMap } from "#platform/LruMap"
import { SecretUnavailable } from "#platform/Secrets"
import { type ImportedKey, type KeyMaterial, type PublicJwk, Signer } from "#platform/Signer"
import { Transaction } from "#platform/Transaction"
import { JwtKeysRepo, locationOf, type NewJwtKey } from "#store/realms/JwtKeysRepo"
import type { Write } from "#store/statements/Writes"
import { makeRealmCache } from "../caches/RealmCache.ts"

/**
 * How many imported keys of each algorithm a node caches. An rs256 key takes about 7 KiB after its first signature
 * (C215).
 */
const MAX_IMPORTED = 10_000

interface Imported {
  readonly key: JwtKeyId
  readonly imported: ImportedKey
}

/** A realm's key, ready to sign and verify, without the text of its secret and public key (C215). */
export interface SigningKey extends Pick<JwtKey, "id" | "algo" | "createdAt" | "expiredAt"> {
  /** Whether its secret can be decrypted. An rs256 key verifies without it. */
  readonly isReadable: boolean
  readonly imported: ImportedKey
}

/**
 * A cache of realms' signing keys. The oldest active key signs, whatever its algorithm (C31a). A new rs256 key signs
 * once verifiers had time to fetch it (C270). Keys that can't be decrypted are skipped (SEC-104) but never replaced,
 * because another node may be able to decrypt them (C100).
 */
export class KeyRing extends Context.Service<
  KeyRing,
  {
    /**
     * The key that currently signs, which `jwt_key` and `jwt_algo` show. If no key can be decrypted, the one that would
     * sign.
     */
    current(realmId: RealmId): Effect.Effect<SigningKey>
    /** Signs a token. Dies with `SecretUnavailable` if no key of the realm can be decrypted. */
    sign(realmId: RealmId, claims: Claims): Effect.Effect<string>
    /**
     * Signs an OAuth token, with the oldest active rs256 key. `type`: the token's `typ`. Returns undefined if the realm
     * has no such key.
     */
    signRs256(realmId: RealmId, claims: Claims, type: string): Effect.Effect<string | undefined>
    /** Finds a key that still verifies: active, or retired within the grace period (C32, C270). */
    verificationKey(realm: Realm, kid: unknown): Effect.Effect<SigningKey | undefined>
    /** Finds an rs256 key even after its grace period, unless it was deleted with `force` (C275). */
    formerKey(realm: Realm, kid: unknown): Effect.Effect<Pick<SigningKey, "algo" | "imported"> | undefined>
    /** The public keys of all rs256 keys that still verify. */
    jwks(realm: Realm): Effect.Effect<ReadonlyArray<PublicJwk>>
    /** Generates a key. This is slow for rs256, so call it before opening a transaction. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** The write that inserts the first key of a realm. */
    insertion(realmId: RealmId, material: KeyMaterial): Effect.Effect<Write>
    /** Whether the realm has an active rs256 key, to sign OAuth tokens. True even if the key can't be decrypted. */
    hasRs256(realmId: RealmId): Effect.Effect<boolean>
    /** Adds a key. Call inside the transaction of the change that requires it. */
    add(realmId: RealmId, material: KeyMaterial): Effect.Effect<JwtKey>
    /** Adds a key that signs from now on, and retires all others. */
    replace(realmId: RealmId, material: KeyMaterial): Effect.Effect<void>
    /** Clears the realm's cache after the commit. Call inside any other transaction that changes the realm's keys. */
    invalidate(realmId: RealmId): Effect.Effect<void>
  }
>()("sallyport/core/KeyRing") {
  static readonly layer = Layer.effect(
    KeyRing,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* JwtKeysRepo
      const signer = yield* Signer
      const transaction = yield* Transaction

      // Key material never changes, so it is imported only once. The expiry may change, so the row is read again.
      const imported = {
        hs256: new LruMap<JwtKeyId, Imported>(MAX_IMPORTED),
        rs256: new LruMap<JwtKeyId, Imported>(MAX_IMPORTED)
      }
      const load = Effect.fnUntraced(function* (key: JwtKey) {
        // A key that was decrypted before still signs, even if another node has since encrypted it with a key this node
        // lacks.
        const known = imported[key.algo].get(key.id)?.imported
        const loaded = known ?? (yield* signer.load(key))
        if (known === undefined && key.secret !== null) imported[key.algo].set({ key: key.id, imported: loaded })
        const { id, algo, createdAt, expiredAt } = key
        const isReadable = key.secret !== null || known !== undefined
        const signingKey: SigningKey = { id, algo, createdAt, expiredAt, isReadable, imported: loaded }
        return signingKey
      })

      const rings = yield* makeRealmCache(
        "signing_keys",
        (realmId) => realmId,
        (realmId: RealmId) =>
          repo.all(realmId).pipe(
            Effect.flatMap(Effect.forEach(load)),
            // A grown array has capacity for 17 elements, but most realms have one key.
            Effect.map((ring) => ring.slice())
          ),
        // An unreadable key becomes readable once this node gets the encryption key, without a change to the realm
        // (C226).
        (ring) => ring.every(({ isReadable }) => isReadable)
      )

      /** The first active key that can be decrypted, or else the first active key. */
      const activeKeyIn = (ring: ReadonlyArray<SigningKey>) => {
        const active = ring.filter(({ expiredAt }) => expiredAt === null)
        return active.find(({ isReadable }) => isReadable) ?? active[0]
      }

      /** The key of a ring that currently signs. */
      const signingKeyIn = (ring: ReadonlyArray<SigningKey>): Effect.Effect<SigningKey | undefined> => {
        const active = activeKeyIn(ring)
        if (active === undefined || active.algo === "hs256") return Effect.succeed(active)
        const readable = ring.filter(({ isReadable }) => isReadable)
        return Effect.map(DateTime.now, (now) => substituteFor(active, readable, now) ?? active)
      }

      const findSigningKey = (realmId: RealmId): Effect.Effect<SigningKey> =>
        Effect.flatMapEager(rings.get(realmId), (ring) =>
          Effect.flatMapEager(signingKeyIn(ring), (signingKey) =>
            signingKey === undefined
              ? Effect.die(new Error(`Realm ${realmId} has no signing key.`))
              : Effect.succeed(signingKey)
          )
        )

      const ensureReadable = (realmId: RealmId, { id, isReadable, imported }: SigningKey) =>
        isReadable ? Effect.succeed(imported) : Effect.die(new SecretUnavailable({ location: locationOf(realmId, id) }))

      const signRs256 = Effect.fnUntraced(function* (realmId: RealmId, claims: Claims, type: string) {
        const found = yield* signingKeyIn((yield* rings.get(realmId)).filter(({ algo }) => algo === "rs256"))
        return found === undefined ? undefined : yield* (yield* ensureReadable(realmId, found)).sign(claims, type)
      })

      // A new key signs immediately on the node that created it, so other nodes must look it up before their cache
      // expires (SEC-44).
      const findKey = Effect.fnUntraced(function* (realmId: RealmId, kid: JwtKeyId) {
        const keyIn = (ring: ReadonlyArray<SigningKey>) => ring.find(({ id }) => id === kid)
        return keyIn(yield* rings.get(realmId)) ?? keyIn(yield* rings.refresh(realmId))
      })

      const verificationKey = Effect.fnUntraced(function* (realm: Realm, kid: unknown) {
        if (typeof kid !== "string" || !isId("jwtKey", kid)) return undefined
        const known = yield* findKey(realm.id, kid)
        if (known === undefined || isPastGrace(known, realm.sessionMinutes, yield* DateTime.now)) return undefined
        // The public key of rs256 is not encrypted.
        if (known.algo === "hs256") yield* ensureReadable(realm.id, known)
        return known
      })

      const formerKey = Effect.fnUntraced(function* (realm: Realm, kid: unknown) {
        if (typeof kid !== "string" || !isId("jwtKey", kid)) return undefined
        const known = yield* findKey(realm.id, kid)
        if (known !== undefined) return known.algo === "rs256" ? known : undefined
        const publicKey = yield* repo.findRetired(realm.id, kid)
        if (publicKey === undefined) return undefined
        const { createdAt } = realm
        const key = {
          id: kid,
          realmId: realm.id,
          algo: "rs256",
          publicKey,
          secret: null,
          createdAt,
          expiredAt: null
        } as const
        return { algo: key.algo, imported: yield* signer.load(key) }
      })

      const jwks = Effect.fn("KeyRing.jwks")(function* (realm: Realm) {
        const now = yield* DateTime.now
        const published = (yield* rings.refresh(realm.id)).filter(
          (key) => key.algo === "rs256" && !isPastGrace(key, realm.sessionMinutes, now)
        )
        return yield* Effect.forEach(
          published.flatMap(({ id, imported }) => {
            const pem = imported.exportVerificationKey()
            return pem ? { id, pem } : []
          }),
          ({ id, pem }) => signer.publicJwk(pem, id)
        )
      })

      const invalidate = (realmId: RealmId) => transaction.afterCommit(rings.invalidate(realmId))

      const make = Effect.fnUntraced(function* (realmId: RealmId, material: KeyMaterial) {
        const key: NewJwtKey = {
          id: yield* ids.make("jwtKey"),
          realmId,
          ...material,
          createdAt: yield* DateTime.now,
          expiredAt: null
        }
        return key
      })

      const add = Effect.fn("KeyRing.add")(function* (realmId: RealmId, material: KeyMaterial) {
        const key = yield* make(realmId, material)
        yield* repo.insert(key)
        yield* invalidate(realmId)
        return key
      })

      const replace = Effect.fn("KeyRing.replace")(function* (realmId: RealmId, material: KeyMaterial) {
        const key = yield* add(realmId, material)
        yield* repo.expireOthers(key, key.createdAt)
      })

      return KeyRing.of({
        current: findSigningKey,
        sign: (realmId, claims) =>
          Effect.flatMapEager(findSigningKey(realmId), (found) =>
            Effect.flatMapEager(ensureReadable(realmId, found), (key) => key.sign(claims))
          ),
        signRs256,
        verificationKey,
        formerKey,
        jwks,
        generate: signer.generate,
        hasRs256: repo.hasRs256,
        insertion: (realmId, material) => Effect.flatMap(make(realmId, material), repo.insertion),
        add,
        replace,
        invalidate: invalidate
      })
    })
  )
}
