import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { decodeProtectedHeader } from "jose"
import { KeyRing, type SigningKey } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import { defaultSettings } from "#domain/Realm"
import { Connections } from "#sql/Database"
import { freshCore, testCore, withRealClock } from "../support/core.ts"

const newRealm = (jwtAlgo: "hs256" | "rs256") =>
  Effect.flatMap(Realms, (realms) => realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo }))

/** A separate node with its own caches. */
const node = Layer.build(Layer.fresh(testCore))

layer(freshCore, withRealClock)("a realm's keys", (it) => {
  it.effect("include the oldest unexpired key for signing, and every verifying rs256 key in JWKS", () =>
    Effect.gen(function* () {
      const keys = yield* KeyRing
      const realm = yield* newRealm("hs256")
      const first = yield* keys.current(realm.id)
      const added = [
        yield* keys.add(realm.id, yield* keys.generate("rs256")),
        yield* keys.add(realm.id, yield* keys.generate("hs256"))
      ]
      expect(yield* keys.current(realm.id)).toEqual(first)
      const header = decodeProtectedHeader(yield* keys.sign(realm.id, { sub: "usr_x" }))
      expect(header).toEqual({ alg: "HS256", kid: first.id, typ: "JWT" })
      expect((yield* keys.jwks(realm)).map(({ kid }) => kid)).toEqual([added[0]?.id])
    })
  )

  it.effect("SEC-44: are up to date when another node has just created, retired or deleted a key", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* node, yield* node]
      const realm = yield* Effect.provideContext(newRealm("rs256"), one)
      const [mine, theirs] = [Context.get(one, KeyRing), Context.get(two, KeyRing)]
      const first = yield* mine.current(realm.id)
      const shown = (key: SigningKey | undefined) =>
        key && { id: key.id, algo: key.algo, expiredAt: key.expiredAt, pem: key.imported.exportVerificationKey() }
      expect(shown(yield* theirs.verificationKey(realm, first.id))).toEqual(shown(first))

      const added = yield* mine.add(realm.id, yield* mine.generate("rs256"))
      expect(shown(yield* theirs.verificationKey(realm, added.id))).toEqual({
        id: added.id,
        algo: "rs256",
        expiredAt: null,
        pem: added.publicKey
      })
      yield* mine.replace(realm.id, yield* mine.generate("rs256"))
      const published = (yield* mine.jwks(realm)).map(({ kid }) => kid)
      expect([published.length, (yield* theirs.jwks(realm)).map(({ kid }) => kid)]).toEqual([3, published])
      for (const kid of ["", "x", `${first.id}x`, realm.id, undefined, 7, null]) {
        expect(yield* theirs.verificationKey(realm, kid)).toBeUndefined()
      }
    })
  )

  it.effect("SEC-47: are unreadable in the database, and can't be decrypted in another row", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const keys = yield* KeyRing
      const [one, two] = [yield* newRealm("hs256"), yield* newRealm("rs256")]
      const [first, second] = [yield* keys.current(one.id), yield* keys.current(two.id)]
      const dump = JSON.stringify(yield* sql`select * from jwt_keys`)
      const [own, rsa] = [first.imported.exportSecret() ?? "", second.imported.exportSecret() ?? ""]
      expect(first.imported.exportVerificationKey()).toBe(own)
      for (const hidden of [own, own.slice(4), "PRIVATE KEY", rsa.slice(100, 160)]) {
        expect(hidden.length).toBeGreaterThan(10)
        expect(dump).not.toContain(hidden)
      }

      const [thief, victim] = [yield* newRealm("hs256"), yield* newRealm("hs256")]
      yield* sql`update jwt_keys set secret = (select secret from jwt_keys where realm_id = ${victim.id})
          where realm_id = ${thief.id}`
      const stolen = yield* keys.current(thief.id)
      expect([stolen.isReadable, stolen.imported.exportVerificationKey()]).toEqual([false, null])
      expect((yield* keys.current(victim.id)).imported.exportVerificationKey()).toMatch(/^jsk_/)
    })
  )
})
