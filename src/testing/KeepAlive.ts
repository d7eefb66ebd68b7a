import { Effect } from "effect"

/** The maximum interval of a timer, about 24 days. */
const LONGEST = 2 ** 31 - 1

const hold = Effect.sync(() => setInterval(() => undefined, LONGEST))

/**
 * Keeps the process alive until an effect has ended. A service under test doesn't keep the process alive, so that scripts that
 * forget to stop it still exit.
 */
export const keepAlive = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    hold,
    () => effect,
    (timer) => Effect.sync(() => clearInterval(timer))
  )
