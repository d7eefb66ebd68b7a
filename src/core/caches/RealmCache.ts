import { Clock, type Context, Effect } from "effect"
import { type CacheName, cacheCounter } from "#platform/CacheMetrics"
import { LruMap } from "#platform/LruMap"
import { Transaction } from "#platform/Transaction"
import { RealmChanges } from "./RealmChanges.ts"

/** How long a value counts as the one in the database though nobody has asked for changes, in nanoseconds (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** How long a value is kept, whatever is known of changes, in nanoseconds. */
const MAX_NANOS = 600n * FRESHNESS_NANOS

/** How many values a cache keeps. The least recently used one makes room for another (C215). */
const CAPACITY = 10_000

interface Entry<A> {
  readonly key: string
  readonly value: A
  readonly readAt: bigint
  readonly keptNanos: bigint
}

/** A copy of a text that keeps nothing else in memory: a piece of a URL keeps the whole URL. */
const detached = (text: string): string => Buffer.from(text).toString()

/** A cache of look-ups in realms. Changes by other processes are visible after a second at most. Failures are not cached. */
export interface RealmCache<Key, A, E> {
  /** The value of a key. The effect has succeeded already where the value is known to be current when `get` is called. */
  get(key: Key): Effect.Effect<A, E>
  /** Looks a value up again, for a key that another node may just have created. */
  refresh(key: Key): Effect.Effect<A, E>
  /** To be called when the value of a key has changed. */
  invalidate(key: Key): Effect.Effect<void>
}

/**
 * Makes a cache for a look-up of what belongs to a realm. `name`: its label in the metrics. `realmOf`: the realm of a key.
 * `isLasting`: whether only a change of the realm can change a value; another one is looked up again after a second. Inside a
 * transaction nothing is kept, since it may be undone, and nobody waits for others, since it holds a connection.
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
  // Counts what is forgotten: the result of a look-up that began before is not kept.
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

  /** The value where it is current once changes have been read. */
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
