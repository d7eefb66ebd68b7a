import { Context, Effect, Fiber, Layer } from "effect"
import { SlowSql } from "#platform/Transaction"

/** Checks that the database answers, on a connection that requests do not use. */
export class HealthRepo extends Context.Service<HealthRepo, { readonly reachable: Effect.Effect<boolean> }>()(
  "sallyport/store/HealthRepo"
) {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const scope = yield* Effect.scope
      const check = sql`select 1`.pipe(
        Effect.as(true),
        Effect.catch(() => Effect.succeed(false))
      )
      // Where the server does not answer, ending the statement takes seconds: whoever asks does not wait for that.
      const giveUp = (fiber: Fiber.Fiber<boolean>) => Effect.as(Effect.forkIn(Fiber.interrupt(fiber), scope), false)
      return HealthRepo.of({
        reachable: Effect.flatMap(Effect.forkIn(check, scope), (fiber) =>
          Effect.timeoutOrElse(Fiber.join(fiber), { duration: "2 seconds", orElse: () => giveUp(fiber) })
        )
      })
    })
  )
}
