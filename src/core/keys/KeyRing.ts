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
 * The number of imported keys that a node caches for each algorithm. An rs256 key takes about 7 KiB once it has signed (C215).
 */
const MAX_IMPORTED = 10_000

interface Imported {
  readonly key: JwtKeyId
  readonly imported: ImportedKey
}

/** A realm's key, ready to sign and verify. The text of the key is not kept in memory (C215). */
export interface SigningKey extends Pick<JwtKey, "id" | "algo" | "createdAt" | "expiredAt"> {
  /** Whether the secret can be decrypted. An rs256 key can verify signatures without its secret. */
  readonly isReadable: boolean
  readonly imported: ImportedKey
}

/**
 * Caches the signing keys of realms. The oldest active key signs, whatever its algorithm (C31a), but a new rs256 key signs
 * only after verifiers have had time to fetch it (C270). Keys that can't be decrypted are skipped (SEC-104). They are never
 * replaced, because other nodes may be able to decrypt them (C100).
 */
export class KeyRing extends Context.Service<
  KeyRing,
  {
    /**
     * Returns the key that currently signs, as shown by `jwt_key` and `jwt_algo`. If no key can be decrypted, returns the key
     * that would otherwise sign.
     */
    current(realmId: RealmId): Effect.Effect<SigningKey>
    /** Signs a token. Dies with `SecretUnavailable` if no key of the realm can be decrypted. */
    sign(realmId: RealmId, claims: Claims): Effect.Effect<string>
    /**
     * Signs an OAuth token like `sign`, but only with an rs256 key. `type` is the token's `typ`. Returns undefined if the
     * realm has no rs256 key.
     */
    signRs256(realmId: RealmId, claims: Claims, type: string): Effect.Effect<string | undefined>
    /** Finds a key that can still verify tokens: an active key, or one retired within the grace period (C32, C270). */
    verificationKey(realm: Realm, kid: unknown): Effect.Effect<SigningKey | undefined>
    /** Finds an rs256 key, even after its grace period. A key deleted with `force` is not found (C275). */
    formerKey(realm: Realm, kid: unknown): Effect.Effect<Pick<SigningKey, "algo" | "imported"> | undefined>
    /** The public keys of all rs256 keys that can still verify tokens. */
    jwks(realm: Realm): Effect.Effect<ReadonlyArray<PublicJwk>>
    /** Generates a key. This is slow for rs256, so call it before opening a transaction. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** Returns the write that inserts the first key of a realm. */
    insertion(realmId: RealmId, material: KeyMaterial): Effect.Effect<Write>
    /** Returns whether the realm has an active rs256 key to sign OAuth tokens, even if that key can't be decrypted. */
    hasRs256(realmId: RealmId): Effect.Effect<boolean>
    /** Adds a key. Call it inside the transaction of the change that requires the key. */
    add(realmId: RealmId, material: KeyMaterial): Effect.Effect<JwtKey>
    /** Adds a key that signs immediately, and retires all other keys. */
    replace(realmId: RealmId, material: KeyMaterial): Effect.Effect<void>
    /**
     * Clears the realm's cache once the transaction commits. Call it inside any other transaction that changes the realm's
     * keys.
     */
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

      // The imported keys. Key material never changes, so it is imported only once. Expiry times can change, so rows are read
      // again.
      const imported = {
        hs256: new LruMap<JwtKeyId, Imported>(MAX_IMPORTED),
        rs256: new LruMap<JwtKeyId, Imported>(MAX_IMPORTED)
      }
      const load = Effect.fnUntraced(function* (key: JwtKey) {
        // A key that was decrypted before can still sign, even if another node has since encrypted it with a key that this
        // node doesn't have.
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
            // Copy the array to save memory. Most realms have one key, but an array that was built by appending has room for
            // 17.
            Effect.map((ring) => ring.slice())
          ),
        // Look unreadable keys up again after a second. They become readable once this node gets the encryption key, which
        // doesn't change the realm (C226).
        (ring) => ring.every(({ isReadable }) => isReadable)
      )

      /** Returns the first active key that can be decrypted, or else the first active key. */
      const activeKeyIn = (ring: ReadonlyArray<SigningKey>) => {
        const active = ring.filter(({ expiredAt }) => expiredAt === null)
        return active.find(({ isReadable }) => isReadable) ?? active[0]
      }

      /** Returns the key of a ring that currently signs. */
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

      // A new key signs immediately on the node that created it. Other nodes must look it up before their cache expires
      // (SEC-44).
      const findKey = Effect.fnUntraced(function* (realmId: RealmId, kid: JwtKeyId) {
        const keyIn = (ring: ReadonlyArray<SigningKey>) => ring.find(({ id }) => id === kid)
        return keyIn(yield* rings.get(realmId)) ?? keyIn(yield* rings.refresh(realmId))
      })

      const verificationKey = Effect.fnUntraced(function* (realm: Realm, kid: unknown) {
        if (typeof kid !== "string" || !isId("jwtKey", kid)) return undefined
        const known = yield* findKey(realm.id, kid)
        if (known === undefined || isPastGrace(known, realm.sessionMinutes, yield* DateTime.now)) return undefined
        // Only hs256 keys need decryption. The public key of an rs256 key is not encrypted.
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
