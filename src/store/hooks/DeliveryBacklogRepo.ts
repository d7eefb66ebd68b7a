import { Context, type DateTime, Effect, Layer } from "effect"
import type { HookType } from "#domain/AppHook"
import type { HookId } from "#domain/Ids"
import { SlowSql } from "#platform/Transaction"
import { probe } from "../statements/Probe.ts"
import { utc } from "../statements/Rows.ts"

/** The maximum number of deliveries to count. A longer backlog is a problem anyway. */
const MAX_COUNTED = 10_000

/** The deliveries of one hook type that wait for an attempt, whether due now or later. */
export interface Backlog {
  readonly hookType: HookType
  readonly waiting: number
  readonly oldest: DateTime.Utc
}

/** The maximum number of failing hooks to return. */
const MAX_HOOKS = 5

/** The deliveries of one hook that have failed and wait for a retry, with the last response. */
export interface FailingHook {
  readonly hookId: HookId
  readonly hookType: HookType
  readonly waiting: number
  readonly lastDestination: string | null
  readonly lastResult: string | null
}

/** Counts the deliveries in progress of all realms, up to a maximum. */
export class DeliveryBacklogRepo extends Context.Service<
  DeliveryBacklogRepo,
  {
    /** Undefined if the database does not respond. */
    readonly backlog: Effect.Effect<ReadonlyArray<Backlog> | undefined>
    /** The hooks with the most deliveries waiting for a retry, in descending order. Undefined if the database does not respond. */
    readonly failingHooks: Effect.Effect<ReadonlyArray<FailingHook> | undefined>
  }
>()("sallyport/store/DeliveryBacklogRepo") {
  static readonly layer = Layer.effect(
    DeliveryBacklogRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const scope = yield* Effect.scope
      // Reads the index of due deliveries, up to the maximum.
      const count = sql<{ readonly hook_type: HookType; readonly waiting: number; readonly oldest: Date }>`
        select hook_type, count(*)::int as waiting, min(created_at) as oldest from (
          select hook_type, created_at from deliveries where state = 'in_progress'
          order by hook_realm_id, hook_id, due_at limit ${MAX_COUNTED}) d
        group by hook_type`
      const byHook = sql<{
        readonly hook_id: HookId
        readonly hook_type: HookType
        readonly waiting: number
        readonly last_destination: string | null
        readonly last_result: string | null
      }>`
        select hook_id, hook_type, count(*)::int as waiting,
          (array_agg(last_destination order by last_attempt_at desc nulls last))[1] as last_destination,
          (array_agg(last_result order by last_attempt_at desc nulls last))[1] as last_result
        from (
          select hook_realm_id, hook_id, hook_type, last_attempt_at, last_destination, last_result, attempts
          from deliveries where state = 'in_progress'
          order by hook_realm_id, hook_id, due_at limit ${MAX_COUNTED}) d
        where attempts > 0 and last_result is not null
        group by hook_realm_id, hook_id, hook_type order by waiting desc, hook_id limit ${MAX_HOOKS}`
      return DeliveryBacklogRepo.of({
        failingHooks: Effect.map(probe(scope, byHook), (rows) =>
          rows?.map((row) => ({
            hookId: row.hook_id,
            hookType: row.hook_type,
            waiting: row.waiting,
            lastDestination: row.last_destination,
            lastResult: row.last_result
          }))
        ),
        backlog: Effect.map(probe(scope, count), (rows) =>
          rows?.map((row) => ({ hookType: row.hook_type, waiting: row.waiting, oldest: utc(row.oldest) }))
        )
      })
    })
  )
}
