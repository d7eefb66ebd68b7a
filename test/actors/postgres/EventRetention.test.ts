import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Realms } from "#core/realms/Realms"
import { EventRetention } from "#core/upkeep/EventRetention"
import { earliestId } from "#domain/Ids"
import { defaultSettings } from "#domain/Realm"
import { Clients } from "#server/Sallyport"
import { Connections } from "#sql/Database"
import { EventRetentionRepo } from "#store/events/EventRetentionRepo"
import { testCore } from "../../support/core.ts"
import { freshConnections } from "../../support/databases.ts"
import { blocksRead, nodesOf, planOfRun, statementsOf } from "../../support/queryPlans.ts"

const repository = EventRetentionRepo.layer.pipe(Layer.provide(Clients))

const OLD = 20_000

it.live("SEC-101: the sweep preserves an event whose delivery is being retried, without waiting for a lock", () =>
  Effect.gen(function* () {
    const realms = yield* Realms
    const repo = yield* EventRetentionRepo
    const { fast: sql } = yield* Connections
    const { id: realm } = yield* realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
    yield* sql`delete from deliveries`
    const [event] = yield* sql<{ readonly id: string }>`select id from events order by id limit 1`
    const at = new Date(0)
    yield* sql`insert into deliveries ${sql.insert({
      realm_id: realm,
      id: "ent_1",
      event_id: event?.id ?? "",
      hook_realm_id: realm,
      hook_id: "hk_1",
      hook_type: "webhook",
      state: "failed",
      attempts: 9,
      created_at: at,
      due_at: at
    })}`
    const count = Effect.map(sql<{ readonly n: number }>`select count(*)::int as n from events`, ([row]) => row?.n ?? 0)
    const before = yield* count
    const later = earliestId("event", DateTime.toEpochMillis(yield* DateTime.now) + 1_000)
    const all = { after: undefined, before: later }
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`update deliveries set state = 'in_progress' where id = 'ent_1'`
        expect(yield* repo.deleteSome(all, 500)).toMatchObject({ deleted: before - 1 })
      })
    )
    expect(yield* repo.deleteSome(all, 500)).toEqual({ deleted: 0, upTo: undefined })
    expect([yield* count, yield* repo.oldest]).toEqual([1, undefined])
    yield* sql`update deliveries set state = 'completed' where id = 'ent_1'`
    expect([yield* repo.oldest, yield* repo.deleteSome(all, 500)]).toEqual([event?.id, { deleted: 1, upTo: event?.id }])
    expect((yield* sql`select 1 as one from deliveries`).length).toBe(0)
  }).pipe(Effect.provide([repository, testCore]), Effect.provide(freshConnections))
)

it.live(
  "SEC-101: a batch of the sweep costs no more after earlier deletions, and leaves the rest to the next sweep",
  () =>
    Effect.gen(function* () {
      const { deleteBatch: sweepSome } = yield* EventRetention
      const { id: realm } = yield* Realms.use(({ create }) =>
        create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
      )
      const { fast: sql } = yield* Connections
      yield* sql`delete from deliveries`
      // Dead rows remain until a vacuum, which on a large table starts only after many changes.
      yield* sql`alter table events set (autovacuum_enabled = false)`
      yield* sql`insert into events (realm_id, id, event_type, event_at, actor_type, changed)
      select ${realm}, 'ev_00' || lpad(n::text, 24, '0'), 'user.updated', '2020-01-01Z', 'system', '{}'
      from generate_series(1, ${OLD}) n`
      const first = `ev_00${"1".padStart(24, "0")}`
      yield* sql`insert into deliveries ${sql.insert({
        realm_id: realm,
        id: "ent_1",
        event_id: first,
        hook_realm_id: realm,
        hook_id: "hk_1",
        hook_type: "webhook",
        state: "in_progress",
        attempts: 1,
        created_at: new Date(0),
        due_at: new Date(0)
      })}`
      yield* sql`analyze`

      /** The blocks that a batch like the next one reads to find events. */
      const blocksOfSearch = Effect.gen(function* () {
        const [deletion] = yield* statementsOf(sweepSome)
        if (deletion === undefined) throw new Error("No event was deleted.")
        const nodes = yield* Effect.provideService(planOfRun(deletion, "for any values"), SqlClient, sql)
        const found = nodes.filter((node) => node["Subplan Name"] === "CTE found").flatMap(nodesOf)
        const search = found.filter((node) => node["Index Name"] === "events_realm_of")
        expect(search).toHaveLength(1)
        return blocksRead(search)
      })
      const early = yield* blocksOfSearch
      yield* Effect.repeat(sweepSome, { times: OLD / 500 / 2 })
      expect(yield* blocksOfSearch).toBeLessThan(1.5 * early)

      yield* Effect.repeat(sweepSome, { until: (gone) => gone === 0 })
      const rest = sql<{ readonly id: string }>`select id from events where id < 'ev_01'`
      expect(yield* rest).toEqual([{ id: first }])
      yield* sql`update deliveries set state = 'completed'`
      expect([yield* sweepSome, yield* rest]).toEqual([1, []])
    }).pipe(
      Effect.provide([EventRetention.layer({ eventRetentionDays: 35 }).pipe(Layer.provide(Clients)), testCore]),
      Effect.provide(freshConnections)
    )
)
