import { Context, type DateTime, Effect, Layer } from "effect"
import type { HookType } from "#domain/AppHook"
import { SlowSql } from "#platform/Transaction"
import { probe } from "./Probe.ts"
import { utc } from "./Rows.ts"

/** How many deliveries are looked at: more are too many in any case. */
const MOST = 10_000

/** The deliveries of one kind that wait for an attempt, a later one included. */
export interface Backlog {
  readonly hookType: HookType
  readonly waiting: number
  readonly oldest: DateTime.Utc
}

/** Counts the deliveries of all realms that are in progress, up to a bound. */
export class DeliveryBacklogRepo extends Context.Service<
  DeliveryBacklogRepo,
  {
    /** Undefined: the database does not answer. */
    readonly backlog: Effect.Effect<ReadonlyArray<Backlog> | undefined>
  }
>()("sallyport/store/DeliveryBacklogRepo") {
  static readonly layer = Layer.effect(
    DeliveryBacklogRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const scope = yield* Effect.scope
      // Read by the index of what is due, and no further than the bound.
      const count = sql<{ readonly hook_type: HookType; readonly waiting: number; readonly oldest: Date }>`
        select hook_type, count(*)::int as waiting, min(created_at) as oldest from (
          select hook_type, created_at from deliveries where state = 'in_progress'
          order by hook_realm_id, hook_id, due_at limit ${MOST}) d
        group by hook_type`
      return DeliveryBacklogRepo.of({
        backlog: Effect.map(probe(scope, count), (rows) =>
          rows?.map((row) => ({ hookType: row.hook_type, waiting: row.waiting, oldest: utc(row.oldest) }))
        )
      })
    })
  )
}
