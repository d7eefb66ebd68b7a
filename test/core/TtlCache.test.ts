import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { LruMap } from "#platform/LruMap"
import { makeTtlCache } from "#platform/TtlCache"

/** A reference model of a bounded map: the entries in order of their last use. */
const referenceModel = (capacity: number) => {
  let entries: ReadonlyArray<readonly [key: number, value: number]> = []
  const without = (key: number) => entries.filter(([one]) => one !== key)
  return {
    entries: () => entries,
    get: (key: number) => {
      const found = entries.find(([one]) => one === key)
      if (found !== undefined) entries = [...without(key), found]
      return found?.[1]
    },
    set: (key: number, value: number) => {
      entries = [...without(key), [key, value] as const].slice(-capacity)
    },
    delete: (key: number) => {
      entries = without(key)
    },
    deleteWhere: (isGone: (key: number) => boolean) => {
      entries = entries.filter(([key]) => !isGone(key))
    }
  }
}

const key = fc.nat({ max: 9 })
const step = fc.oneof(
  fc.record({ kind: fc.constant("get" as const), key }),
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat() }),
  fc.record({ kind: fc.constant("delete" as const), key }),
  fc.record({ kind: fc.constant("deleteWhere" as const), key })
)

it("LruMap keeps the most recently used entries after any sequence of reads, writes and deletions", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
      const map = new LruMap<number, { readonly key: number; readonly value: number }>(capacity)
      const expected = referenceModel(capacity)
      for (const one of steps) {
        if (one.kind === "get") expect(map.get(one.key)?.value).toBe(expected.get(one.key))
        else if (one.kind === "set") {
          map.set(one)
          expected.set(one.key, one.value)
        } else if (one.kind === "deleteWhere") {
          const isGone = (key: number) => key > one.key
          map.deleteWhere(isGone)
          expected.deleteWhere(isGone)
        } else {
          map.delete(one.key)
          expected.delete(one.key)
        }
        expect(map.size).toBe(expected.entries().length)
      }
      expect(expected.entries().map(([one]) => map.get(one)?.value)).toEqual(
        expected.entries().map(([, value]) => value)
      )
    })
  )
})

it.effect("SEC-212: evicts only unused values when many values are looked up", () =>
  Effect.gen(function* () {
    const looked: Array<number> = []
    const cache = yield* makeTtlCache("realms", (one: number) => Effect.sync(() => looked.push(one)))
    yield* cache.get(-1)
    yield* cache.get(-2)
    for (let one = 0; one < 999; one++) {
      yield* cache.get(one)
      yield* cache.get(-1)
    }
    expect(looked.length).toBe(1_001)
    // -2 wasn't used meanwhile, so it was evicted.
    yield* cache.get(-1)
    yield* cache.get(-2)
    expect(looked.slice(1_001)).toEqual([-2])
    yield* cache.invalidate(-1)
    yield* cache.get(-1)
    expect(looked.slice(1_002)).toEqual([-1])
    yield* TestClock.adjust("1 second")
    yield* cache.get(-1)
    expect(looked.slice(1_003)).toEqual([-1])
  })
)
