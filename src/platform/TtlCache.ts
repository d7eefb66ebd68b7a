import { Clock, Effect } from "effect"
import { type CacheName, cacheCounter } from "./CacheMetrics.ts"
import { LruMap } from "./LruMap.ts"

/** The time to live of cached values. Changes by other nodes become visible within this time (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** The maximum number of values in a cache. When it is full, a new value replaces the least recently used one (C215). */
const CAPACITY = 1_000

/** A cache of database lookups, which are at most one second old. Failures are not cached. */
export interface TtlCache<Key, A, E> {
  /** Returns the value for a key. If it is cached when `get` is called, the returned effect has already succeeded. */
  get(key: Key): Effect.Effect<A, E>
  /** Looks up a value again. Use this for a key that another node may have just created. */
  refresh(key: Key): Effect.Effect<A, E>
  /** Removes a key's value from the cache. Call this when the value has changed. */
  invalidate(key: Key): Effect.Effect<void>
  readonly invalidateAll: Effect.Effect<void>
}

/**
 * Creates a cache for a lookup. `name` is its label in the metrics. Concurrent misses do separate lookups. If they shared
 * one, a fiber with a connection might wait for a fiber that is waiting for a connection.
 */
export const makeTtlCache = Effect.fnUntraced(function* <Key, A, E>(
  name: CacheName,
  lookup: (key: Key) => Effect.Effect<A, E>
) {
  const clock = yield* Clock.Clock
  const count = yield* cacheCounter(name)
  const fresh = new LruMap<Key, { readonly key: Key; readonly value: A; readonly until: bigint }>(CAPACITY)
  // The number of invalidations. If it has changed during a lookup, the result is not cached.
  let changes = 0

  const store = (key: Key, value: A, startedAt: bigint, changesBefore: number) => {
    if (changes !== changesBefore) return
    fresh.set({ key, value, until: startedAt + FRESHNESS_NANOS })
  }

  const refresh = (key: Key) =>
    Effect.suspend(() => {
      const changesBefore = changes
      // The age of a value is measured from the start of its lookup.
      const startedAt = clock.monotonicTimeNanosUnsafe()
      return Effect.map(lookup(key), (value) => {
        store(key, value, startedAt, changesBefore)
        return value
      })
    })

  const invalidating = (drop: () => void) =>
    Effect.sync(() => {
      changes += 1
      drop()
    })

  const cache: TtlCache<Key, A, E> = {
    get: (key) => {
      const known = fresh.get(key)
      const isFresh = known !== undefined && known.until > clock.monotonicTimeNanosUnsafe()
      count(isFresh)
      return isFresh ? Effect.succeed(known.value) : refresh(key)
    },
    refresh,
    invalidate: (key) => invalidating(() => fresh.delete(key)),
    invalidateAll: invalidating(() => fresh.clear())
  }
  return cache
})
