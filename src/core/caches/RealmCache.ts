import { Clock, type Context, Effect } from "effect"
import { type CacheName, cacheCounter } from "#platform/CacheMetrics"
import { LruMap } from "#platform/LruMap"
import { Transaction } from "#platform/Transaction"
import { RealmChanges } from "./RealmChanges.ts"

/** How long a cached value is used without checking for changes, in nanoseconds (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** The longest time for which a value is cached, in nanoseconds. */
const MAX_NANOS = 600n * FRESHNESS_NANOS

/** The maximum number of values in a cache. The least recently used value is evicted first (C215). */
const CAPACITY = 10_000

interface Entry<A> {
  readonly key: string
  readonly value: A
  readonly readAt: bigint
  readonly keptNanos: bigint
}

/** Copies a string so that it doesn't retain the larger string it was sliced from, such as a whole URL. */
const detached = (text: string): string => Buffer.from(text).toString()

/** A cache of lookups in realms. Changes by other processes become visible within a second. Failures are not cached. */
export interface RealmCache<Key, A, E> {
  /**
   * Returns the value of a key. If the cached value is current when `get` is called, the effect completes
   * synchronously.
   */
  get(key: Key): Effect.Effect<A, E>
  /** Looks up a value without the cache, for a key that another node may just have created. */
  refresh(key: Key): Effect.Effect<A, E>
  /** Removes a key from the cache. Call this after its value has changed. */
  invalidate(key: Key): Effect.Effect<void>
}

/**
 * Makes a cache for lookups in realms. `name`: the cache's label in the metrics. `realmOf`: the realm of a key.
 * `isLasting`: whether a value changes only when its realm changes; other values are looked up again after a second.
 * Inside a transaction the cache is bypassed: the result may be rolled back, and the transaction's connection must not
 * wait for other lookups.
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
  let forgotten = 0

  changes.subscribe((realms) => {
    forgotten += 1
    if (realms === undefined) entries.clear()
    else entries.deleteWhere((key) => realms.has(realmOf(key)))
  })

  const outside = Effect.fnUntraced(function* (key: Key) {
    const before = forgotten
    const readAt = clock.monotonicTimeNanosUnsafe()
    const value = yield* lookup(key)
    if (before === forgotten) {
      const keptNanos = isLasting(value) ? MAX_NANOS : FRESHNESS_NANOS
      entries.set({ key: detached(key), value, readAt, keptNanos })
    }
    return value
  })

  const refresh = (key: Key) =>
    Effect.contextWith((context: Context.Context<never>) =>
      transaction.isOpenIn(context) ? lookup(key) : outside(key)
    )

  /** Reads recent changes, then returns the cached value if it is still current. */
  const checked = (key: Key) =>
    Effect.contextWith((context: Context.Context<never>) =>
      transaction.isOpenIn(context)
        ? lookup(key)
        : Effect.flatMap(changes.read, (isRead) => {
            const known = isRead ? entries.get(key) : undefined
            count(known !== undefined)
            return known === undefined ? outside(key) : Effect.succeed(known.value)
          })
    )

  const cache: RealmCache<Key, A, E> = {
    get: (key) => {
      const known = entries.get(key)
      const age = known === undefined ? MAX_NANOS : clock.monotonicTimeNanosUnsafe() - known.readAt
      const isKept = known !== undefined && age < known.keptNanos
      if (isKept && age >= FRESHNESS_NANOS && !changes.isFresh()) return checked(key)
      count(isKept)
      return isKept ? Effect.succeed(known.value) : refresh(key)
    },
    refresh,
    invalidate: (key) =>
      Effect.sync(() => {
        forgotten += 1
        entries.delete(key)
      })
  }
  return cache
})
