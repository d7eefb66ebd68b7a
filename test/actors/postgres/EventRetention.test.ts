import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Realms } from "#core/realms/Realms"
import { earliestId } from "#domain/Ids"
import { defaultSettings } from "#domain/Realm"
import { Clients } from "#server/Sallyport"
import { Connections } from "#sql/Database"
import { EventRetentionRepo } from "#store/EventRetentionRepo"
import { testCore } from "../../support/core.ts"
import { freshConnections } from "../../support/databases.ts"

const repository = EventRetentionRepo.layer.pipe(Layer.provide(Clients))

it.live(
  "SEC-101: an event stays whose delivery is asked for again at that very moment, and the sweep waits for nobody",
  () =>
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
      const count = Effect.map(
        sql<{ readonly n: number }>`select count(*)::int as n from events`,
        ([row]) => row?.n ?? 0
      )
      const before = yield* count
      const later = earliestId("event", DateTime.toEpochMillis(yield* DateTime.now) + 1_000)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`update deliveries set state = 'in_progress' where id = 'ent_1'`
          expect(yield* repo.deleteSome(later, 500)).toBe(before - 1)
        })
      )
      expect(yield* repo.deleteSome(later, 500)).toBe(0)
      expect([yield* count, yield* repo.oldest]).toEqual([1, undefined])
      yield* sql`update deliveries set state = 'completed' where id = 'ent_1'`
      expect([yield* repo.oldest, yield* repo.deleteSome(later, 500)]).toEqual([event?.id, 1])
      expect((yield* sql`select 1 as one from deliveries`).length).toBe(0)
    }).pipe(Effect.provide([repository, testCore]), Effect.provide(freshConnections))
)
