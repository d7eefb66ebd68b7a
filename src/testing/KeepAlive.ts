import { Effect } from "effect"

/** The maximum interval of a timer, about 24 days. */
const MAX_INTERVAL = 2 ** 31 - 1

const keepProcessAlive = Effect.sync(() => setInterval(() => undefined, MAX_INTERVAL))

/**
 * Keeps the process alive until an effect has ended. A service under test doesn't keep the process alive, so that scripts that
 * forget to stop it still exit.
 */
export const keepAlive = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    keepProcessAlive,
    () => effect,
    (timer) => Effect.sync(() => clearInterval(timer))
  )
