import { Clock, Effect } from "effect"

/** How stale a node's copy may be: what another node changes shows here within it (decision 32). */
const FRESHNESS_NANOS = 1_000_000_000n

const CAPACITY = 1_000

/** What the database holds, at most a second old. A hit costs a look into a map; failures are not kept. */
export interface TtlCache<Key, A, E> {
  get(key: Key): Effect.Effect<A, E>
  /** The same, looked up anew: for who misses what another node may have made a moment ago. */
  renew(key: Key): Effect.Effect<A, E>
  /** To be called when what the key leads to has changed. */
  forget(key: Key): Effect.Effect<void>
  readonly forgetAll: Effect.Effect<void>
}

/**
 * A cache in front of a look-up. Who misses looks up on their own: sharing a look-up could make one that holds a
 * connection wait for one that waits for it.
 */
export const freshCache = Effect.fnUntraced(function* <Key, A, E>(lookup: (key: Key) => Effect.Effect<A, E>) {
  const clock = yield* Clock.Clock
  const fresh = new Map<Key, { readonly value: A; readonly until: bigint }>()
  // Changes since the start: what was looked up before one is not kept after it.
  let changes = 0

  const keep = (key: Key, value: A, asked: bigint, changesBefore: number) => {
    if (changes !== changesBefore) return
    const [oldest] = fresh.size >= CAPACITY ? fresh.keys() : []
    if (oldest !== undefined) fresh.delete(oldest)
    fresh.set(key, { value, until: asked + FRESHNESS_NANOS })
  }

  const renew = (key: Key) =>
    Effect.suspend(() => {
      const changesBefore = changes
      // What a slow look-up brings is as old as its question.
      const asked = clock.monotonicTimeNanosUnsafe()
      return Effect.map(lookup(key), (value) => {
        keep(key, value, asked, changesBefore)
        return value
      })
    })

  const changed = (drop: () => void) =>
    Effect.sync(() => {
      changes += 1
      drop()
    })

  const cache: TtlCache<Key, A, E> = {
    get: (key) =>
      Effect.suspend(() => {
        const known = fresh.get(key)
        const isFresh = known !== undefined && known.until > clock.monotonicTimeNanosUnsafe()
        return isFresh ? Effect.succeed(known.value) : renew(key)
      }),
    renew,
    forget: (key) => changed(() => fresh.delete(key)),
    forgetAll: changed(() => fresh.clear())
  }
  return cache
})
