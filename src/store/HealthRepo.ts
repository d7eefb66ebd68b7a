import { Context, Effect, Layer } from "effect"
import { SlowSql } from "#platform/Transaction"

/** Checks that the database answers, on a connection that requests do not use. */
export class HealthRepo extends Context.Service<HealthRepo, { readonly reachable: Effect.Effect<boolean> }>()(
  "sallyport/store/HealthRepo"
) {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      return HealthRepo.of({
        reachable: sql`select 1`.pipe(
          Effect.as(true),
          Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
          Effect.catch(() => Effect.succeed(false))
        )
      })
    })
  )
}
