import { expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Realms } from "#core/realms/Realms"
import { earliestId } from "#domain/Ids"
import { CurrentRealm, defaultSettings, type Realm } from "#domain/Realm"
import { Clients } from "#server/Sallyport"
import { Connections } from "#sql/Database"
import { RealmJobsRepo } from "#store/realms/RealmJobsRepo"
import { freshCore } from "../support/core.ts"

const newRealm = Effect.flatMap(Realms, (realms) =>
  realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
)

/** Creates the given number of orgs in a realm. */
const createOrgs = Effect.fnUntraced(function* ({ id }: Realm, orgs: number) {
  const { fast: sql } = yield* Connections
  yield* sql`insert into orgs (realm_id, id, state, name, sort_name, custom, created_at)
    select ${id}, 'org_' || lpad(n::text, 26, '0'), 'active', 'Org', 'org', '{}', 'epoch' from generate_series(1, ${orgs}::int) n`
})

const resetOrgs = (realm: Realm) =>
  Effect.flatMap(Realms, (realms) => Effect.provideService(realms.reset(["orgs"]), CurrentRealm, realm))

const pendingJobs = Effect.gen(function* () {
  const { fast: sql } = yield* Connections
  const rows = yield* sql<{ readonly realm_id: string }>`select realm_id from realm_jobs order by cutoff_at`
  return rows.map(({ realm_id }) => realm_id)
})

it.live("SEC-109: finishes a small reset after a few batches of larger deletions that were requested earlier", () =>
  Effect.gen(function* () {
    const repo = yield* RealmJobsRepo
    const [large, larger, small] = [yield* newRealm, yield* newRealm, yield* newRealm]
    yield* createOrgs(large, 20_000)
    yield* createOrgs(larger, 4_000)
    yield* createOrgs(small, 10)
    const realms = yield* Realms
    yield* Effect.provideService(realms.delete, CurrentRealm, large)
    yield* resetOrgs(larger)
    yield* resetOrgs(small)
    const worked: Array<number> = []
    while ((yield* pendingJobs).includes(small.id)) worked.push(yield* repo.runBatch)
    // One batch of each job, then the rest of the small job.
    expect(worked.length).toBeLessThanOrEqual(6)
    expect((yield* pendingJobs).toSorted()).toEqual([large.id, larger.id].toSorted())
    let pieces = 0
    while ((yield* repo.runBatch) > 0) pieces += 1
    expect([pieces > 20, yield* pendingJobs]).toEqual([true, []])
  }).pipe(Effect.provide(RealmJobsRepo.layer.pipe(Layer.provide(Clients))), Effect.provide(freshCore))
)

it.live(
  "C20: deletes the rows whose ids are older than a reset, also kept ids, but not rows imported since with an older created_at",
  () =>
    Effect.gen(function* () {
      const repo = yield* RealmJobsRepo
      const { fast: sql } = yield* Connections
      const realm = yield* newRealm
      yield* createOrgs(realm, 250)
      const insert = (id: string) =>
        sql`insert into orgs (realm_id, id, state, name, sort_name, custom, created_at)
        values (${realm.id}, ${id}, 'active', 'Org', 'org', '{}', 'epoch')`
      yield* insert("org_zz-Kept-elsewhere")
      yield* resetOrgs(realm)
      const imported = earliestId("org", (yield* Clock.currentTimeMillis) + 1_000)
      yield* insert(imported)
      while ((yield* repo.runBatch) > 0);
      expect(yield* sql`select id from orgs where realm_id = ${realm.id}`).toEqual([{ id: imported }])
    }).pipe(Effect.provide(RealmJobsRepo.layer.pipe(Layer.provide(Clients))), Effect.provide(freshCore))
)

it.live("SEC-109: finishes all jobs on concurrent nodes without repeating a batch", () =>
  Effect.gen(function* () {
    const repo = yield* RealmJobsRepo
    const realms = [yield* newRealm, yield* newRealm, yield* newRealm]
    yield* Effect.forEach(realms, (realm) => createOrgs(realm, 1_000))
    yield* Effect.forEach(realms, resetOrgs)
    const node = Effect.gen(function* () {
      let rows = 0
      for (let some = yield* repo.runBatch; some > 0; some = yield* repo.runBatch) rows += some
      return rows
    })
    const counts = yield* Effect.all([node, node], { concurrency: 2 })
    // Each job ends with a batch that finds nothing left.
    const sum = counts.reduce((all, count) => all + count, 0)
    expect([sum, yield* pendingJobs]).toEqual([3_003, []])
  }).pipe(Effect.provide(RealmJobsRepo.layer.pipe(Layer.provide(Clients))), Effect.provide(freshCore))
)
