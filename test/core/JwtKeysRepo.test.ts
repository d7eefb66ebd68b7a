import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KeyRing } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import { Caller } from "#domain/Caller"
import type { JwtKeyId } from "#domain/Ids"
import { CurrentRealm, defaultSettings, type RealmSettings } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Connections } from "#sql/Database"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { freshCore, root, testKey } from "../support/core.ts"

const Clients = Layer.effect(
  SqlClient,
  Effect.map(Connections, ({ fast }) => fast)
)

/** The repository and the core on one new database. */
const Repo = JwtKeysRepo.layer.pipe(
  Layer.provide(Secrets.layer([Redacted.make(testKey)])),
  Layer.provide(Entropy.layer),
  Layer.provide(Clients),
  Layer.provideMerge(freshCore)
)

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const minutesAfterStart = (minutes: number) => DateTime.add(start, { minutes })

/** A realm with the given number of keys, all retired at the start, and a current signing key. */
const realmWith = Effect.fnUntraced(function* (retired: number, settings: Partial<RealmSettings> = {}) {
  const realm = yield* (yield* Realms).create({
    ...defaultSettings("v2"),
    name: "Realm",
    jwtAlgo: "hs256",
    ...settings
  })
  const [keys, repo] = [yield* KeyRing, yield* JwtKeysRepo]
  const ids: Array<JwtKeyId> = []
  for (let n = 0; n < retired; n++) {
    const key = yield* keys.add(realm.id, yield* keys.generate("hs256"))
    yield* repo.expire(key, start)
    ids.push(key.id)
  }
  return { realm, ids }
})

const idsLeft = Effect.gen(function* () {
  const { fast: sql } = yield* Connections
  const rows = yield* sql<{ readonly id: string }>`select id from jwt_keys where expired_at is not null order by id`
  return rows.map(({ id }) => id)
})

it.live("deletes retired keys once their realm's grace period is over", () =>
  Effect.gen(function* () {
    const repo = yield* JwtKeysRepo
    expect(yield* repo.nextRetirement).toBeUndefined()
    const longest = yield* realmWith(1, { sessionMinutes: 100_000 })
    const short = yield* realmWith(1, { sessionMinutes: 5 })
    const long = yield* realmWith(1, { sessionMinutes: 600 })
    const seen: Array<unknown> = []
    for (const { realm, ids } of [short, long, longest]) {
      const due = yield* repo.nextRetirement
      if (due === undefined) return expect(due).toBeDefined()
      expect(yield* repo.deleteRetired(DateTime.subtract(due, { milliseconds: 1 }), 10)).toEqual([])
      expect(yield* repo.deleteRetired(due, 10)).toEqual([{ realmId: realm.id, id: ids[0] }])
      seen.push(DateTime.formatIso(due))
    }
    expect(seen).toEqual([360, 600, 1_440].map((minutes) => DateTime.formatIso(minutesAfterStart(minutes))))
    expect(yield* repo.nextRetirement).toBeUndefined()
    expect((yield* repo.all(short.realm.id)).length).toBe(1)
  }).pipe(Effect.provide(Repo))
)

it.live("preserves signing keys of any age, and deletes the retired keys of a deleted realm", () =>
  Effect.gen(function* () {
    const [repo, realms] = [yield* JwtKeysRepo, yield* Realms]
    const { realm, ids } = yield* realmWith(2)
    yield* Effect.provideService(realms.delete, CurrentRealm, realm)
    const gone = yield* repo.deleteRetired(minutesAfterStart(360), 10)
    expect(gone.map(({ id }) => id).toSorted()).toEqual(ids)
    expect(yield* repo.deleteRetired(minutesAfterStart(1_000_000), 10)).toEqual([])
    expect((yield* repo.all(realm.id)).length).toBe(1)
  }).pipe(Effect.provide(Repo))
)

it.live("keeps a retired key longer if session_minutes is longer", () =>
  Effect.gen(function* () {
    const [repo, realms] = [yield* JwtKeysRepo, yield* Realms]
    const { realm } = yield* realmWith(1)
    yield* realms
      .update({ sessionMinutes: 900 })
      .pipe(Effect.provideService(CurrentRealm, realm), Effect.provideService(Caller, root))
    expect(yield* repo.deleteRetired(minutesAfterStart(899), 10)).toEqual([])
    expect((yield* repo.deleteRetired(minutesAfterStart(900), 10)).length).toBe(1)
  }).pipe(Effect.provide(Repo))
)

it.live("deletes each key once on any number of nodes, in batches", () =>
  Effect.gen(function* () {
    const repo = yield* JwtKeysRepo
    const { ids } = yield* realmWith(20)
    const taken = yield* Effect.all(
      Array.from({ length: 4 }, () => repo.deleteRetired(minutesAfterStart(360), 3)),
      { concurrency: 4 }
    )
    expect(Math.max(...taken.map(({ length }) => length))).toBe(3)
    const gone = taken.flat().map(({ id }) => String(id))
    expect(new Set(gone).size).toBe(gone.length)
    expect([...gone, ...(yield* idsLeft)].toSorted()).toEqual(ids)
  }).pipe(Effect.provide(Repo))
)
