import { Cache, Clock, Effect } from "effect"

/** How stale a node's copy may be, in milliseconds: what another node changes shows here within it (decision 32). */
const FRESHNESS = 1_000

const CAPACITY = 1_000

/** What the database holds, at most a second old. A hit costs a look into a map; failures are not kept. */
export interface FreshCache<Key, A, E> {
  get(key: Key): Effect.Effect<A, E>
  /** To be called when what the key leads to has changed. */
  forget(key: Key): Effect.Effect<void>
  readonly forgetAll: Effect.Effect<void>
}

/** A cache in front of a look-up; callers that miss at the same time share one. */
export const freshCache = Effect.fnUntraced(function* <Key, A, E>(lookup: (key: Key) => Effect.Effect<A, E>) {
  const clock = yield* Clock.Clock
  const fresh = new Map<Key, { readonly value: A; readonly until: number }>()
  // Changes since the start: what was looked up before one is not kept after it.
  let changes = 0

  const keep = (key: Key, value: A, changesBefore: number) => {
    if (changes !== changesBefore) return
    const [oldest] = fresh.size >= CAPACITY ? fresh.keys() : []
    if (oldest !== undefined) fresh.delete(oldest)
    fresh.set(key, { value, until: clock.currentTimeMillisUnsafe() + FRESHNESS })
  }

  // Keeps nothing: it only lets those who ask at the same time share a look-up.
  const shared = yield* Cache.make({
    capacity: CAPACITY,
    timeToLive: 0,
    lookup: (key: Key) =>
      Effect.suspend(() => {
        const changesBefore = changes
        return Effect.tap(lookup(key), (value) => Effect.sync(() => keep(key, value, changesBefore)))
      })
  })

  const forgetting = (forget: Effect.Effect<unknown>, drop: () => void) =>
    Effect.suspend(() => {
      changes += 1
      drop()
      return Effect.asVoid(forget)
    })

  const cache: FreshCache<Key, A, E> = {
    get: (key) =>
      Effect.suspend(() => {
        const known = fresh.get(key)
        return known !== undefined && known.until > clock.currentTimeMillisUnsafe()
          ? Effect.succeed(known.value)
          : Cache.get(shared, key)
      }),
    forget: (key) => forgetting(Cache.invalidate(shared, key), () => fresh.delete(key)),
    forgetAll: forgetting(Cache.invalidateAll(shared), () => fresh.clear())
  }
  return cache
})
