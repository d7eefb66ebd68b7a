import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, layer } from "@effect/vitest"
import { Deferred, type Duration, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeRealmCache } from "#core/caches/RealmCache"
import { type Evict, RealmChanges } from "#core/caches/RealmChanges"
import { Realms } from "#core/realms/Realms"
import { defaultSettings } from "#domain/Realm"
import { Transaction } from "#platform/Transaction"
import { Connections } from "#sql/Database"
import { freshCore, withRealClock } from "../support/core.ts"

/** Other processes' changes, as announced by the test. */
const changeFeed = (isRead: boolean) => {
  const subscribers: Array<Evict> = []
  const tell: Evict = (realms) => {
    for (const forget of subscribers) forget(realms)
  }
  const changes = RealmChanges.of({
    isFresh: () => false,
    read: Effect.succeed(isRead),
    subscribe: (forget) => {
      subscribers.push(forget)
    }
  })
  const transaction = Transaction.of({
    run: (operation) => operation,
    runSingle: (statement) => statement,
    isOpenIn: () => false,
    afterCommit: (effect) => effect
  })
  return { tell, layer: Layer.merge(Layer.succeed(RealmChanges, changes), Layer.succeed(Transaction, transaction)) }
}

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** The heap in use, in bytes. */
const liveHeap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** A cache with keys of the form `realm key`, and the keys it has looked up. */
const observedCache = Effect.gen(function* () {
  const looked: Array<string> = []
  const realmOf = (key: string) => key.split(" ")[0] ?? ""
  const cache = yield* makeRealmCache("realms", realmOf, (key: string) => Effect.sync(() => looked.push(key)))
  return { cache, looked }
})

describe("the cache of realm data", () => {
  const feed = changeFeed(true)
  it.effect("forgets the entries of a changed realm, including lookups still in progress", () =>
    Effect.gen(function* () {
      const { cache, looked } = yield* observedCache
      for (const key of ["a 1", "a 2", "b 1", "a 1"]) yield* cache.get(key)
      expect(looked).toEqual(["a 1", "a 2", "b 1"])
      yield* TestClock.adjust("1 minute")
      feed.tell(new Set(["a", "c"]))
      for (const key of ["b 1", "a 1", "a 2"]) yield* cache.get(key)
      expect(looked.slice(3)).toEqual(["a 1", "a 2"])
      feed.tell(undefined)
      for (const key of ["b 1", "a 1"]) yield* cache.get(key)
      expect(looked.slice(5)).toEqual(["b 1", "a 1"])

      let reads = 0
      const read = () => Effect.sync(() => ++reads)
      const unsure = yield* makeRealmCache(
        "realms",
        (key: string) => key,
        read,
        (value) => value > 2
      )
      const after = Effect.fnUntraced(function* (wait: Duration.Input) {
        yield* TestClock.adjust(wait)
        return yield* unsure.get("a")
      })
      // Values that can change without an announced change are cached for one second.
      const readValues = [
        yield* after(0),
        yield* after("999 millis"),
        yield* after("1 milli"),
        yield* after("1 second")
      ]
      expect([readValues, yield* after("1 minute")]).toEqual([[1, 1, 2, 3], 3])

      const answer = yield* Deferred.make<number>()
      let started = 0
      const slow = yield* makeRealmCache(
        "realms",
        (key: string) => key,
        () => Effect.suspend(() => ((started += 1), Deferred.await(answer)))
      )
      const waiting = yield* Effect.forkChild(slow.get("a"), { startImmediately: true })
      feed.tell(new Set(["b"]))
      yield* Deferred.succeed(answer, 1)
      yield* Fiber.join(waiting)
      yield* slow.get("a")
      expect(started).toBe(2)
    }).pipe(Effect.provide(feed.layer))
  )

  it.effect("SEC-222: reloads values after a second if changes can't be read, and otherwise after ten minutes", () =>
    Effect.gen(function* () {
      for (const [isRead, waits, times] of [
        [false, "999 millis", 1],
        [false, "1 second", 2],
        [true, "599 seconds", 1],
        [true, "600 seconds", 2]
      ] as const) {
        const { cache, looked } = yield* Effect.provide(observedCache, changeFeed(isRead).layer)
        yield* cache.get("a 1")
        yield* TestClock.adjust(waits)
        yield* cache.get("a 1")
        expect(looked.length, `${isRead} ${waits}`).toBe(times)
      }
    })
  )

  it.effect("SEC-212: stores 10,000 values and evicts the least recently used", () =>
    Effect.gen(function* () {
      const { cache, looked } = yield* observedCache
      for (const key of ["a 1", "a 2"]) yield* cache.get(key)
      for (let n = 0; n < 9_999; n++) {
        yield* cache.get(`b ${n}`)
        yield* cache.get("a 1")
      }
      expect(looked.length).toBe(10_001)
      yield* cache.get("a 1")
      yield* cache.get("a 2")
      expect(looked.slice(10_001)).toEqual(["a 2"])
      yield* cache.invalidate("a 1")
      yield* cache.get("a 1")
      expect(looked.slice(10_002)).toEqual(["a 1"])
    }).pipe(Effect.provide(changeFeed(true).layer))
  )

  it.effect("SEC-212: doesn't retain the URLs from which its keys are taken", () =>
    Effect.gen(function* () {
      let looked = 0
      const cache = yield* makeRealmCache(
        "realms",
        (key: string) => key,
        () => Effect.sync(() => ++looked)
      )
      const before = liveHeap()
      for (const n of [...Array(40).keys(), ...Array(40).keys()]) {
        const url = Buffer.alloc(2 ** 18, `/realms/rl_${String(n).padStart(26, "0")}?`).toString("latin1")
        yield* cache.get(url.slice("/realms/".length, url.indexOf("?")))
      }
      expect(looked).toBe(40)
      expect(liveHeap() - before).toBeLessThan(5 * 2 ** 20)
    }).pipe(Effect.provide(changeFeed(true).layer))
  )
})

layer(freshCore, withRealClock)("a value read inside a transaction", (it) => {
  it.effect("SEC-223: isn't cached, because the transaction may be rolled back", () =>
    Effect.gen(function* () {
      const [realms, { fast: sql }] = [yield* Realms, yield* Connections]
      const { id, name } = yield* realms.create({ ...defaultSettings("v2"), name: "Before", jwtAlgo: "hs256" })
      const undone = yield* Effect.exit(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update realms set name = 'Undone' where id = ${id}`
            expect((yield* realms.find(id)).name).toBe("Undone")
            return yield* Effect.fail("undone")
          })
        )
      )
      expect(Exit.isFailure(undone)).toBe(true)
      expect((yield* realms.find(id)).name).toBe(name)
    })
  )
})
