import { Context, DateTime, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { canSign, isPastGrace, type JwtAlgorithm, type JwtKey, JwtKeyNotFound } from "#domain/JwtKey"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { KeyMaterial } from "#platform/Signer"
import { Transaction } from "#platform/Transaction"
import { OAuthClientsRepo } from "#store/oauth/OAuthClientsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { importKey } from "./ImportedKeys.ts"
import { KeyRing } from "./KeyRing.ts"

/** Manages the keys that sign a realm's tokens (`v1.jwt_keys`). Keys whose grace period is over are not found. */
export class JwtKeys extends Context.Service<
  JwtKeys,
  {
    get(id: string): Effect.Effect<JwtKey, JwtKeyNotFound, CurrentRealm>
    list(page: PageOf<"id">): Effect.Effect<Page<JwtKey>, JwtKeyNotFound, CurrentRealm>
    /**
     * Adds a key. It is used for signing once all older keys are retired or deleted. `key` is an hs256 secret or an RSA
     * private key as PEM, or null to generate a key. Records `realm.updated`.
     */
    create(algo: JwtAlgorithm, key: string | null): Effect.Effect<JwtKey, Rejected | RealmNotFound, CurrentRealm>
    /**
     * Retires a key. Its tokens remain valid for the grace period. With `force`, deletes the key instead. If no other key can
     * sign, or none can sign OAuth clients' tokens, a new key of the same algorithm is generated. Records `realm.updated`,
     * unless the key was already retired.
     */
    delete(id: string, force: boolean): Effect.Effect<void, JwtKeyNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/JwtKeys") {
  static readonly layer = Layer.effect(
    JwtKeys,
    Effect.gen(function* () {
      const repo = yield* JwtKeysRepo
      const realms = yield* RealmsRepo
      const clients = yield* OAuthClientsRepo
      const keys = yield* KeyRing
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("JwtKeys.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const key = isId("jwtKey", id) ? yield* repo.find(realm.id, id) : undefined
        if (key === undefined || isPastGrace(key, realm.sessionMinutes, yield* DateTime.now)) {
          return yield* new JwtKeyNotFound({ id })
        }
        return key
      })

      const list = Effect.fn("JwtKeys.list")(function* (page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "jwtKey", get)
        return pageOf(yield* repo.list(realm, yield* DateTime.now, page), page.maxResults)
      })

      /** Locks the realm until the transaction ends, so that only one transaction at a time changes its keys. */
      const lockRealm = Effect.gen(function* () {
        const { id } = yield* CurrentRealm
        return (yield* realms.findLocked(id, "changes")) ?? (yield* new RealmNotFound({ id }))
      })

      const create = Effect.fn("JwtKeys.create")(function* (algo: JwtAlgorithm, providedKey: string | null) {
        const material = providedKey === null ? yield* keys.generate(algo) : yield* importKey(algo, providedKey)
        return yield* transaction.run(
          Effect.gen(function* () {
            const realm = yield* lockRealm
            const key = yield* keys.add(realm.id, material)
            yield* journal.record([{ eventType: "realm.updated", changed: ["jwt_keys"] }])
            return key
          })
        )
      })

      /**
       * Deletes or retires the key. If the realm needs a replacement but none is given, changes nothing and returns the
       * algorithm of the key to generate.
       */
      const tryDelete = Effect.fnUntraced(function* (id: string, force: boolean, replacement: KeyMaterial | undefined) {
        const realm = yield* lockRealm
        const now = yield* DateTime.now
        const all = yield* repo.all(realm.id)
        const key = all.find((each) => each.id === id && !isPastGrace(each, realm.sessionMinutes, now))
        if (key === undefined) return yield* new JwtKeyNotFound({ id })
        if (key.expiredAt !== null && !force) return undefined

        const others = all.filter((each) => each !== key && canSign(each))
        // OAuth tokens can only be signed by RS256 keys.
        const isLastForOAuth =
          key.algo === "rs256" && key.expiredAt === null && others.every(({ algo }) => algo !== "rs256")
        const isLast = others.length === 0 || (isLastForOAuth && (yield* clients.hasAny(realm.id)))
        if (isLast && replacement === undefined) return key.algo
        yield* force ? repo.delete(key) : repo.expire(key, now)
        if (isLast && replacement !== undefined) yield* keys.add(realm.id, replacement)
        yield* keys.invalidate(realm.id)
        yield* journal.record([{ eventType: "realm.updated", changed: ["jwt_keys"] }])
        return undefined
      })

      const remove = Effect.fn("JwtKeys.delete")(function* (id: string, force: boolean) {
        const neededAlgo = yield* transaction.run(tryDelete(id, force, undefined))
        // Generating a key is slow, so it happens without the lock. Then decide about the deletion again.
        if (neededAlgo !== undefined) yield* transaction.run(tryDelete(id, force, yield* keys.generate(neededAlgo)))
      })

      return JwtKeys.of({ get, list, create, delete: remove })
    })
  )
}
