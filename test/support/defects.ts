import { Cause, Effect } from "effect"

/** What an effect dies of. One that succeeds fails with its value instead. */
export const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<unknown, A, R> =>
  Effect.map(Effect.flip(Effect.sandbox(effect)), Cause.squash)
