import { type Context, Effect, Metric } from "effect"

const requests = Metric.counter("cache_requests_total", {
  description: "Look-ups in a cache, by cache and result: hit, miss.",
  incremental: true
})

/** The caches of a process. */
export type CacheName = "api_keys" | "oauth_clients" | "realms" | "signing_keys"

/** Counts the lookups in a cache. `isHit` is true for a lookup without an SQL statement. */
export const cacheCounter = (name: CacheName): Effect.Effect<(isHit: boolean) => void> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const hits = Metric.withAttributes(requests, { cache: name, result: "hit" })
    const misses = Metric.withAttributes(requests, { cache: name, result: "miss" })
    return Effect.succeed((isHit: boolean) => (isHit ? hits : misses).updateUnsafe(1, context))
  })
