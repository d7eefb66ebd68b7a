import { Context, DateTime, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { canSign, goneSince, isGone, type JwtAlgorithm, type JwtKey, JwtKeyNotFound } from "#domain/JwtKey"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { KeyMaterial } from "#platform/Signer"
import { Transaction } from "#platform/Transaction"
import { JwtKeysRepo } from "#store/JwtKeysRepo"
import { RealmsRepo } from "#store/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { givenKey } from "./GivenKeys.ts"
import { KeyRing } from "./KeyRing.ts"

/** The keys that sign a realm's tokens (api-v1 section 4, "JWT keys"). One whose grace time is over is gone. */
export class JwtKeys extends Context.Service<
  JwtKeys,
  {
    get(id: string): Effect.Effect<JwtKey, JwtKeyNotFound, CurrentRealm>
    list(page: PageOf<"id">): Effect.Effect<Page<JwtKey>, JwtKeyNotFound, CurrentRealm>
    /**
     * Gives the realm one more key: it signs once the older ones are expired or deleted. `key`: an hs256 secret or an RSA
     * private key as PEM; null: one is made. `realm.updated`.
     */
    create(algo: JwtAlgorithm, key: string | null): Effect.Effect<JwtKey, Rejected | RealmNotFound, CurrentRealm>
    /**
     * Retires a key: it signs no more, and verifies for the grace time. With `force` it is deleted instead. Where that
     * leaves none to sign, one of the same algorithm is made. `realm.updated`, unless the key was retired already.
     */
    delete(id: string, force: boolean): Effect.Effect<void, JwtKeyNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/JwtKeys") {
  static readonly layer = Layer.effect(
    JwtKeys,
    Effect.gen(function* () {
      const repo = yield* JwtKeysRepo
      const realms = yield* RealmsRepo
      const keys = yield* KeyRing
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("JwtKeys.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const key = isId("jwtKey", id) ? yield* repo.find(realm.id, id) : undefined
        if (key === undefined || isGone(key, realm.sessionMinutes, yield* DateTime.now)) {
          return yield* new JwtKeyNotFound({ id })
        }
        return key
      })

      const list = Effect.fn("JwtKeys.list")(function* (page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, get)
        const gone = goneSince(realm.sessionMinutes, yield* DateTime.now)
        return pageOf(yield* repo.list(realm.id, gone, page), page.maxResults)
      })

      /** The realm, held until the transaction ends: its keys change one after the other. */
      const held = Effect.gen(function* () {
        const { id } = yield* CurrentRealm
        return (yield* realms.findHeld(id, "changes")) ?? (yield* new RealmNotFound({ id }))
      })

      const create = Effect.fn("JwtKeys.create")(function* (algo: JwtAlgorithm, given: string | null) {
        const material = given === null ? yield* keys.generate(algo) : yield* givenKey(algo, given)
        return yield* transaction.run(
          Effect.gen(function* () {
            const realm = yield* held
            const key = yield* keys.add(realm.id, material)
            yield* journal.record([{ eventType: "realm.updated" }])
            return key
          })
        )
      })

      /** Does it, or changes nothing and says of which algorithm a replacement is needed that is not there. */
      const attempt = Effect.fnUntraced(function* (id: string, force: boolean, replacement: KeyMaterial | undefined) {
        const realm = yield* held
        const now = yield* DateTime.now
        const all = yield* repo.all(realm.id)
        const key = all.find((each) => each.id === id && !isGone(each, realm.sessionMinutes, now))
        if (key === undefined) return yield* new JwtKeyNotFound({ id })
        if (key.expiredAt !== null && !force) return undefined

        const isLast = all.every((each) => each === key || !canSign(each))
        if (isLast && replacement === undefined) return key.algo
        yield* force ? repo.delete(key) : repo.expire(key, now)
        if (isLast && replacement !== undefined) yield* keys.add(realm.id, replacement)
        yield* keys.changed(realm.id)
        yield* journal.record([{ eventType: "realm.updated" }])
        return undefined
      })

      const remove = Effect.fn("JwtKeys.delete")(function* (id: string, force: boolean) {
        const needed = yield* transaction.run(attempt(id, force, undefined))
        // A key takes its time to be made: nothing is held meanwhile, and then it is decided again.
        if (needed !== undefined) yield* transaction.run(attempt(id, force, yield* keys.generate(needed)))
      })

      return JwtKeys.of({ get, list, create, delete: remove })
    })
  )
}
