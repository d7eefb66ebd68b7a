import { Context, Effect, Layer } from "effect"
import { DatabaseCheck, HealthSql } from "#platform/Transaction"
import { probe } from "../statements/Probe.ts"

/** Checks on a reserved connection that the database responds and is usable. */
export class HealthRepo extends Context.Service<
  HealthRepo,
  {
    readonly reachable: Effect.Effect<boolean>
    /**
     * The time of the database's clock, in Unix milliseconds, or undefined if the database does not respond. It is only
     * compared with this node's clock and never stored.
     */
    readonly time: Effect.Effect<number | undefined>
  }
>()("sallyport/store/HealthRepo") {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const check = yield* DatabaseCheck
      const sql = yield* HealthSql
      const scope = yield* Effect.scope
      return HealthRepo.of({
        reachable: Effect.map(probe(scope, check), (answer) => answer === true),
        time: Effect.map(
          probe(scope, sql<{ readonly at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`),
          (rows) => rows?.[0]?.at
        )
      })
    })
  )
}
