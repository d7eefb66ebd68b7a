import { Context, Effect, Layer } from "effect"
import { SlowSql } from "#platform/Transaction"
import { probe } from "./Probe.ts"

/** Checks that the database answers, on a connection that requests do not use. */
export class HealthRepo extends Context.Service<HealthRepo, { readonly reachable: Effect.Effect<boolean> }>()(
  "sallyport/store/HealthRepo"
) {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const scope = yield* Effect.scope
      return HealthRepo.of({
        reachable: Effect.map(probe(scope, sql`select 1`), (answer) => answer !== undefined)
      })
    })
  )
}
