import { Context, Effect, Layer, Metric } from "effect"

/** The health of an actor. */
export interface ActorState {
  /** Whether its last run succeeded. */
  readonly ok: boolean
  /** The number of times the actor was restarted. */
  readonly restarts: number
  /** How long the oldest due item has been waiting, in seconds. */
  readonly lagSeconds: number
}

const restarts = Metric.counter("actor_restarts_total", {
  description: "Restarts of a background job after a failure.",
  incremental: true
})

/** Adds to an actor's restarts in the metrics. */
export const countRestarts = (actor: string, count: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(restarts, { actor }), count)

/** The health of this node's actors, as shown by `/readyz` and `/metrics`. */
export class ActorStates extends Context.Service<
  ActorStates,
  {
    readonly report: (name: string, state: ActorState) => Effect.Effect<void>
    readonly all: Effect.Effect<Readonly<Record<string, ActorState>>>
  }
>()("sallyport/platform/ActorStates") {
  static readonly layer = Layer.sync(ActorStates, () => {
    const states = new Map<string, ActorState>()
    return ActorStates.of({
      report: (name, state) =>
        Effect.sync(() => {
          states.set(name, state)
        }),
      all: Effect.sync(() => Object.fromEntries(states))
    })
  })
}
