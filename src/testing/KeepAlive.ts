import { Effect } from "effect"

/** The longest interval of a timer, some 24 days. */
const LONGEST = 2 ** 31 - 1

const hold = Effect.sync(() => setInterval(() => undefined, LONGEST))

/** Keeps the process alive until an effect has ended: a service under test does not, so that a script that forgets to stop it ends. */
export const keepAlive = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    hold,
    () => effect,
    (timer) => Effect.sync(() => clearInterval(timer))
  )
