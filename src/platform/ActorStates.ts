import { Context, Effect, Layer } from "effect"

/** The health of an actor. */
export interface ActorState {
  /** Whether its last run succeeded. */
  readonly ok: boolean
  /** How often it was restarted. */
  readonly restarts: number
  /** How long the oldest due item has been waiting, in seconds. */
  readonly lagSeconds: number
}

/** The health of this node's actors, which `/readyz` and `/metrics` show. */
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
