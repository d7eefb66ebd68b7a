import { Cache, type Effect, Exit } from "effect"

/** How stale a node's copy may be: what another node changes shows here within it (decision 32). */
const FRESHNESS = "1 second"

/** A cache of what the database holds, at most a second old. Failures are not kept. */
export const freshCache = <Key, A, E, R>(lookup: (key: Key) => Effect.Effect<A, E, R>) =>
  Cache.makeWith(lookup, { capacity: 1_000, timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESHNESS : 0) })
