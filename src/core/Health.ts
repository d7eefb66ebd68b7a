import { Context, Effect, Layer } from "effect"
import { HealthRepo } from "./HealthRepo.ts"

/** How this node fares, in the words of `/readyz`. */
export interface Readiness {
  readonly ready: boolean
  readonly database: "ok" | "unreachable"
  readonly draining: boolean
}

/** Whether this node should get requests. */
export class Health extends Context.Service<
  Health,
  {
    readonly readiness: Effect.Effect<Readiness>
    /** From now on the node asks for no more requests: it is about to stop. */
    readonly drain: Effect.Effect<void>
  }
>()("sallyport/core/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const repo = yield* HealthRepo
      let draining = false
      return Health.of({
        readiness: Effect.map(repo.reachable, (reachable) => ({
          ready: reachable && !draining,
          database: reachable ? "ok" : "unreachable",
          draining
        })),
        drain: Effect.sync(() => {
          draining = true
        })
      })
    })
  )
}
