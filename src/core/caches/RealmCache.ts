import { Clock, type Context, Effect } from "effect"
import { type CacheName, cacheCounter } from "#platform/CacheMetrics"
import { LruMap } from "#platform/LruMap"
import { Transaction } from "#platform/Transaction"
import { RealmChanges } from "./RealmChanges.ts"

/** How long a cached value is used without checking for changes made by other processes, in nanoseconds (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** The maximum age of a cached value, in nanoseconds. */
const MAX_NANOS = 600n * FRESHNESS_NANOS

/** The maximum number of values in a cache. The least recently used value is evicted first (C215). */
const CAPACITY = 10_000

interface Entry<A> {
  readonly key: string
  readonly value: A
  readonly readAt: bigint
  readonly maxAgeNanos: bigint
}

/** Copies a string so that it doesn't retain the larger string it was sliced from, such as a whole URL. */
const detach = (text: string): string => Buffer.from(text).toString()

/** A cache of lookups in realms. Changes by other processes become visible within a second. Failures are not cached. */
export interface RealmCache<Key, A, E> {
  /** Returns the value of a key. Completes synchronously if the cached value is current. */
  get(key: Key): Effect.Effect<A, E>
  /** Looks up a value without the cache. Use it for a key that another node may just have created. */
  refresh(key: Key): Effect.Effect<A, E>
  /** Removes a key from the cache. Call this after its value has changed. */
  invalidate(key: Key): Effect.Effect<void>
}

/**
 * Makes a cache for lookups in realms. `name` is the cache's label in the metrics. `realmOf` returns the realm of a key.
 * `isLasting` returns whether a value can only change when its realm changes. Other values are looked up again after a
 * second.
 *
 * Lookups inside a transaction bypass the cache, because their results may be rolled back, and because the
 * transaction's connection must not wait for other lookups.
 */
export const makeRealmCache = Effect.fnUntraced(function* <Key extends string, A, E>(
  name: CacheName,
  realmOf: (key: string) => string,
  lookup: (key: Key) => Effect.Effect<A, E>,
  isLasting: (value: A) => boolean = () => true
) {
  const clock = yield* Clock.Clock
  const count = yield* cacheCounter(name)
  const changes = yield* RealmChanges
  const transaction = yield* Transaction
  const entries = new LruMap<string, Entry<A>>(CAPACITY)
  // Counts invalidations. The result of a lookup that began before one is not cached.
  let invalidations = 0

  changes.subscribe((realms) => {
    invalidations += 1
    if (realms === undefined) entries.clear()
    else entries.deleteWhere((key) => realms.has(realmOf(key)))
  })

  const lookUpAndCache = Effect.fnUntraced(function* (key: Key) {
    const before = invalidations
    const readAt = clock.monotonicTimeNanosUnsafe()
    const value = yield* lookup(key)
    if (before === invalidations) {
      const maxAgeNanos = isLasting(value) ? MAX_NANOS : FRESHNESS_NANOS
      entries.set({ key: detach(key), value, readAt, maxAgeNanos })
    }
    return value
  })

  const refresh = (key: Key) =>
    Effect.contextWith((context: Context.Context<never>) =>
      transaction.isOpenIn(context) ? lookup(key) : lookUpAndCache(key)
    )

  /** Reads the recent changes, and returns the cached value if it is still current. */
  const recheck = (key: Key) =>
    Effect.contextWith((context: Context.Context<never>) =>
      transaction.isOpenIn(context)
        ? lookup(key)
        : Effect.flatMap(changes.read, (isRead) => {
            const known = isRead ? entries.get(key) : undefined
            count(known !== undefined)
            return known === undefined ? lookUpAndCache(key) : Effect.succeed(known.value)
          })
    )

  const cache: RealmCache<Key, A, E> = {
    get: (key) => {
      const known = entries.get(key)
      const age = known === undefined ? MAX_NANOS : clock.monotonicTimeNanosUnsafe() - known.readAt
      const isCached = known !== undefined && age < known.maxAgeNanos
      if (isCached && age >= FRESHNESS_NANOS && !changes.isFresh()) return recheck(key)
      count(isCached)
      return isCached ? Effect.succeed(known.value) : refresh(key)
    },
    refresh,
    invalidate: (key) =>
      Effect.sync(() => {
        invalidations += 1
        entries.delete(key)
      })
  }
  return cache
})
