import { Context, Effect, Layer } from "effect"

/** How an actor fares. */
export interface ActorState {
  /** Whether its last try came to an end. */
  readonly ok: boolean
  /** How often it had to begin anew. */
  readonly restarts: number
  /** For how long the oldest thing that is due has been waiting, in seconds. */
  readonly lagSeconds: number
}

/** How the actors of this node fare: told by them, shown in `/readyz` and `/metrics`. */
export class ActorStates extends Context.Service<
  ActorStates,
  {
    readonly note: (name: string, state: ActorState) => Effect.Effect<void>
    readonly all: Effect.Effect<Readonly<Record<string, ActorState>>>
  }
>()("sallyport/platform/ActorStates") {
  static readonly layer = Layer.sync(ActorStates, () => {
    const states = new Map<string, ActorState>()
    return ActorStates.of({
      note: (name, state) =>
        Effect.sync(() => {
          states.set(name, state)
        }),
      all: Effect.sync(() => Object.fromEntries(states))
    })
  })
}
