import { Context, Effect, Latch, Layer } from "effect"
import { type ActorState, ActorStates } from "#platform/ActorStates"
import { HealthRepo } from "#store/HealthRepo"

/** How this node fares, in the words of `/readyz`. */
export interface Readiness {
  readonly ready: boolean
  readonly database: "ok" | "unreachable"
  readonly draining: boolean
  /** How the background jobs fare: they are no reason to send requests elsewhere. */
  readonly actors: Readonly<Record<string, ActorState>>
}

/** Whether this node should get requests. */
export class Health extends Context.Service<
  Health,
  {
    readonly readiness: Effect.Effect<Readiness>
    /** From now on the node asks for no more requests: it is about to stop. */
    readonly drain: Effect.Effect<void>
    /** Ends when the node is about to stop: who waits for something else waits for this too. */
    readonly stopping: Effect.Effect<void>
  }
>()("sallyport/core/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const repo = yield* HealthRepo
      const states = yield* ActorStates
      const stopping = yield* Latch.make()
      return Health.of({
        readiness: Effect.gen(function* () {
          const reachable = yield* repo.reachable
          const draining = stopping.isOpen()
          return {
            ready: reachable && !draining,
            database: reachable ? ("ok" as const) : ("unreachable" as const),
            draining,
            actors: yield* states.all
          }
        }),
        drain: Effect.asVoid(stopping.open),
        stopping: stopping.await
      })
    })
  )
}
