import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Realms } from "#core/realms/Realms"
import { ApiKeyDigests } from "#core/tokens/ApiKeyDigests"
import { defaultSettings } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Transaction } from "#platform/Transaction"
import { Connections } from "#sql/Database"
import { ApiKeyPeppersRepo } from "#store/access/ApiKeyPeppersRepo"
import { freshCore, withRealClock } from "../support/core.ts"

const Clients = Layer.effect(
  SqlClient,
  Effect.map(Connections, ({ fast }) => fast)
)

/** A separate node with empty caches. */
const node = Effect.gen(function* () {
  const beneath = Layer.mergeAll(
    ApiKeyPeppersRepo.layer,
    Transaction.layer,
    Secrets.layer([Redacted.make("test-secret-of-more-than-32-characters")])
  ).pipe(Layer.provideMerge(Layer.mergeAll(Clients, Entropy.layer)))
  const context = yield* Layer.build(Layer.fresh(ApiKeyDigests.layer.pipe(Layer.provideMerge(beneath))))
  const digests = yield* Effect.provide(ApiKeyDigests, context)
  const transaction = yield* Effect.provide(Transaction, context)
  return { digests, transaction }
})

const newRealm = Effect.gen(function* () {
  const realms = yield* Realms
  return (yield* realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })).id
})

const key = "a-key-of-more-than-20-characters"

layer(freshCore, withRealClock)("the digest of an API key", (it) => {
  it.effect("is the same on every node, even if all create the realm's pepper at once", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const [one, two] = [yield* newRealm, yield* newRealm]
      const nodes = yield* Effect.all([node, node, node, node])
      const all = yield* Effect.all(
        nodes.map(({ digests }) => digests.digest(one, key)),
        { concurrency: "unbounded" }
      )
      const texts = new Set(all.map((digest) => Buffer.from(digest).toString("hex")))
      expect([...texts]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
      const peppers = sql`select realm_id from api_key_peppers where realm_id in (${one}, ${two})`
      expect(yield* peppers).toEqual([{ realm_id: one }])
      const [first] = nodes
      expect(yield* (yield* node).digests.digest(one, key)).toEqual(all[0])
      expect(yield* first?.digests.digest(two, key) ?? Effect.void).not.toEqual(all[0])
      expect(yield* first?.digests.digest(one, `${key}x`) ?? Effect.void).not.toEqual(all[0])
    })
  )

  it.effect("uses only a committed pepper, and forgets the pepper of a failed transaction", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const realmId = yield* newRealm
      const { digests, transaction } = yield* node
      const lost = yield* transaction
        .run(Effect.flatMap(digests.digest(realmId, key), (digest) => Effect.fail(digest)))
        .pipe(Effect.flip)
      expect(yield* sql`select realm_id from api_key_peppers where realm_id = ${realmId}`).toEqual([])
      const kept = yield* transaction.run(digests.digest(realmId, key))
      expect(kept).not.toEqual(lost)
      expect(yield* digests.digest(realmId, key)).toEqual(kept)
      expect(yield* (yield* node).digests.digest(realmId, key)).toEqual(kept)
    })
  )

  it.effect("SEC-47: can't be computed with a pepper copied from another realm", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const [one, two] = [yield* newRealm, yield* newRealm]
      const { digests } = yield* node
      yield* digests.digest(one, key)
      yield* sql`insert into api_key_peppers (realm_id, id, secret)
          select ${two}, ${two}, secret from api_key_peppers where realm_id = ${one}`
      expect(Exit.isFailure(yield* Effect.exit(digests.digest(two, key)))).toBe(true)
    })
  )
})
