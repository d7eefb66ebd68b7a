import { expect, it } from "@effect/vitest"
import { Array as Arr, Clock, Effect, Layer, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Actors } from "#actors/Actors"
import { AuthProviders } from "#core/external/AuthProviders"
import { KeyRing } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { RealmId } from "#domain/Ids"
import { CurrentRealm, defaultSettings } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { encryptedColumns, type SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { Connections } from "#sql/Database"
import { VirtualClock } from "#testing/VirtualClock"
import { coreUnder } from "../support/core.ts"
import { freshConnections } from "../support/databases.ts"

const old = "the old key, which has 32 characters or more"
const fresh = "the new key, which has 32 characters or more"

const newRealm = Effect.flatMap(Realms, (realms) =>
  realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
)

const newProvider = (clientSecret: string) =>
  Effect.flatMap(AuthProviders, (providers) => providers.create("github", { clientId: "client", clientSecret }))

const reencryptAll = Effect.flatMap(EncryptedColumns, (columns) => columns.reencrypt)

/** All sealed texts of a column with their row ids. */
const sealedTexts = Effect.fnUntraced(function* (table: string, column: string) {
  const { fast: sql } = yield* Connections
  return yield* sql<{ id: string; realm_id: RealmId; sealed: string }>`
    select id, realm_id, ${sql(column)} as sealed from ${sql(table)} where ${sql(column)} is not null order by id`
})

const everyText = Effect.forEach(
  encryptedColumns.filter(({ table }) => table !== "idempotent_requests"),
  ({ table, column }) => sealedTexts(table, column)
)

/** The prefix of all ciphertexts encrypted with a key. */
const prefixOf = (key: string) =>
  Secrets.pipe(
    Effect.map(({ currentPrefix }) => currentPrefix),
    Effect.provide(Secrets.layer([Redacted.make(key)]).pipe(Layer.provide(Entropy.layer)))
  )

/** A realm's current signing key with its secret. */
const signingKeyOf = Effect.fnUntraced(function* (realmId: RealmId) {
  const { imported, ...key } = yield* (yield* KeyRing).current(realmId)
  return { ...key, secret: imported.exportSecret() }
})

it.live("SEC-47: re-encrypts everything with the new key after a rotation, so that the old key can be removed", () =>
  Effect.gen(function* () {
    const { realm, key, before } = yield* Effect.gen(function* () {
      const realm = yield* newRealm
      yield* Effect.provideService(newProvider("kept"), CurrentRealm, realm)
      yield* newRealm
      expect(yield* reencryptAll).toBe(0)
      return { realm, key: yield* signingKeyOf(realm.id), before: yield* everyText }
    }).pipe(Effect.provide(coreUnder(old)))
    expect(before.flat().map(({ id }) => id.split("_")[0])).toEqual(["ap", "jky", "jky"])

    const counts = Effect.all([reencryptAll, reencryptAll]).pipe(Effect.provide(coreUnder(fresh, old)))
    expect(yield* counts).toEqual([3, 0])
    const prefix = yield* prefixOf(fresh)
    for (const rows of yield* everyText) for (const { sealed } of rows) expect(sealed.startsWith(prefix)).toBe(true)

    yield* Effect.gen(function* () {
      expect(yield* reencryptAll).toBe(0)
      expect(yield* signingKeyOf(realm.id)).toEqual(key)
      const { fast: sql } = yield* Connections
      const events = () => Effect.map(sql`select * from events`, (rows) => rows.length)
      const soFar = yield* events()
      const providers = yield* AuthProviders
      const resent = providers.update("github", { clientSecret: "kept" })
      yield* Effect.provideService(resent, CurrentRealm, realm)
      expect(yield* events()).toBe(soFar)
    }).pipe(Effect.provide(coreUnder(fresh)))
  }).pipe(Effect.provide(freshConnections))
)

it.live("SEC-47: refuses to start if the old key is missing, and reports the number of unreadable secrets", () =>
  Effect.gen(function* () {
    yield* Effect.all([newRealm, newRealm]).pipe(Effect.provide(coreUnder(old)))
    const before = yield* everyText
    const error = yield* Effect.flip(reencryptAll).pipe(Effect.provide(coreUnder(fresh)))
    expect(error.message).toBe(
      `SALLYPORT_SECRET does not decrypt the secrets in this database: 2 of 2 can't be read (encrypted with ${(yield* prefixOf(old)).slice(3, 11)}). Restore the old key. To rotate it, first add the new key after the old one on all nodes, and only then move the new key to the front.`
    )
    expect(yield* everyText).toEqual(before)
  }).pipe(Effect.provide(freshConnections))
)

it.live("SEC-104: starts, and counts the unreadable secrets, if less than half are unreadable", () =>
  Effect.gen(function* () {
    yield* Effect.all([newRealm, newRealm]).pipe(Effect.provide(coreUnder(fresh)))
    const behind = yield* newRealm.pipe(Effect.provide(coreUnder(old)))
    const counts = yield* Effect.gen(function* () {
      expect(yield* reencryptAll).toBe(0)
      return yield* (yield* EncryptedColumns).counts
    }).pipe(Effect.provide(coreUnder(fresh)))
    expect(counts.map(({ column, state, count }) => [column.table, state, count]).toSorted()).toEqual([
      ["jwt_keys", "first", 2],
      ["jwt_keys", "missing", 1]
    ])
    expect((yield* sealedTexts("jwt_keys", "secret")).filter(({ realm_id }) => realm_id === behind.id)).toHaveLength(1)
  }).pipe(Effect.provide(freshConnections))
)

it.live("SEC-104: re-encrypts all secrets except a secret that was moved to another row", () =>
  Effect.gen(function* () {
    const [one, two] = yield* Effect.all([newRealm, newRealm]).pipe(Effect.provide(coreUnder(old)))
    const { fast: sql } = yield* Connections
    yield* sql`update jwt_keys set secret = (select secret from jwt_keys where realm_id = ${one.id})
        where realm_id = ${two.id}`
    const counts = yield* Effect.gen(function* () {
      expect(yield* Effect.all([reencryptAll, reencryptAll])).toEqual([1, 0])
      return yield* (yield* EncryptedColumns).counts
    }).pipe(Effect.provide(coreUnder(fresh, old)))
    expect(counts.map(({ state, count }) => [state, count]).toSorted()).toEqual([
      ["first", 1],
      ["older", 1]
    ])
  }).pipe(Effect.provide(freshConnections))
)

it.live("SEC-104: counts and re-encrypts values that another node still encrypts with the old key", () =>
  Effect.gen(function* () {
    const behind = yield* Layer.build(Layer.fresh(coreUnder(old, fresh)))
    const ahead = yield* Layer.build(Layer.fresh(coreUnder(fresh, old)))
    yield* newRealm.pipe(Effect.provideContext(behind))
    yield* Effect.gen(function* () {
      const [columns, actors] = [yield* EncryptedColumns, yield* Actors]
      const states = Effect.map(columns.counts, (counts) => counts.map(({ state, count }) => [state, count]).toSorted())
      expect(yield* columns.reencrypt).toBe(1)
      yield* newRealm.pipe(Effect.provideContext(behind))
      const clock = new VirtualClock(yield* Clock.Clock, (yield* Clock.currentTimeMillis) + 600_001)
      const settled = Effect.provideService(actors.settle, Clock.Clock, clock)
      // The check at startup was too recent.
      expect(yield* actors.settle).toBe(0)
      expect(yield* settled).toBe(1)
      expect(yield* PrometheusMetrics.format()).toMatch(/secrets_at_rest\{[^}]*key="older"[^}]*\} 0\n/)
      expect([yield* states, yield* settled]).toEqual([[["first", 2]], 0])
      yield* newRealm.pipe(Effect.provideContext(behind))
      expect(yield* states).toEqual([
        ["first", 2],
        ["older", 1]
      ])
      expect(yield* PrometheusMetrics.format()).toMatch(/secrets_at_rest\{[^}]*key="older"[^}]*\} 1\n/)
    }).pipe(Effect.provideContext(ahead))
  }).pipe(Effect.provide(freshConnections))
)

it.live("SEC-47: re-encrypts more secrets than fit in a batch on two nodes that start at once", () =>
  Effect.gen(function* () {
    const { fast: sql } = yield* Connections
    const realm = yield* newRealm.pipe(Effect.provide(coreUnder(old)))
    yield* Effect.gen(function* () {
      const secrets = yield* Secrets
      const rows = yield* Effect.forEach(
        Arr.makeBy(1_100, (n) => `jky_${n}`),
        Effect.fnUntraced(function* (row) {
          const place: SecretLocation = { table: "jwt_keys", column: "secret", row, realm: realm.id }
          return {
            realm_id: realm.id,
            id: row,
            algo: "hs256",
            secret: yield* secrets.encrypt(place, `secret of ${row}`),
            created_at: new Date(0),
            expired_at: new Date(0)
          }
        })
      )
      yield* sql`insert into jwt_keys ${sql.insert(rows)}`
    }).pipe(Effect.provide(Secrets.layer([Redacted.make(old)]).pipe(Layer.provide(Entropy.layer))))

    const node = reencryptAll.pipe(Effect.provide(coreUnder(fresh, old)))
    const counts = yield* Effect.all([node, node], { concurrency: 2 })
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_101)

    const prefix = yield* prefixOf(fresh)
    yield* Effect.gen(function* () {
      const secrets = yield* Secrets
      for (const { id, realm_id, sealed } of yield* sealedTexts("jwt_keys", "secret")) {
        expect(sealed.startsWith(prefix)).toBe(true)
        const opened = yield* secrets.decrypt({ table: "jwt_keys", column: "secret", row: id, realm: realm_id }, sealed)
        if (id.length < 20) expect(opened).toBe(`secret of ${id}`)
      }
    }).pipe(Effect.provide(Secrets.layer([Redacted.make(fresh)]).pipe(Layer.provide(Entropy.layer))))
  }).pipe(Effect.provide(freshConnections))
)
