import { Cause, Effect } from "effect"

/** The defect of an effect. Fails with the value if the effect succeeds. */
export const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<unknown, A, R> =>
  Effect.map(Effect.flip(Effect.sandbox(effect)), Cause.squash)
