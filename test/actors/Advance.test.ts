import { expect, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Actors } from "#actors/Actors"
import { advance } from "#actors/Advance"

const at = (millis: number) => DateTime.makeUnsafe(millis)

/** Actors with items due at the given times. An item held by another node can't be done before `free`. */
const actorsWith = (items: ReadonlyArray<{ readonly due: number; readonly free?: number }>) => {
  let clock = 0
  const left = [...items]
  const done: Array<readonly [due: number, at: number]> = []
  const actors: Pick<Actors["Service"], "nextDue" | "settle"> = {
    nextDue: Effect.sync(() => (left.length === 0 ? undefined : at(Math.min(...left.map(({ due }) => due))))),
    settle: Effect.sync(() => {
      const ready = left.filter(({ due, free = due }) => Math.max(due, free) <= clock)
      for (const item of ready) {
        left.splice(left.indexOf(item), 1)
        done.push([item.due, clock])
      }
      return ready.length
    })
  }
  const setTo = (to: DateTime.Utc) => {
    clock = DateTime.toEpochMillis(to)
  }
  return { actors: { ...actors, run: Effect.void }, setTo, done, now: () => clock }
}

it.effect("advancing the clock processes each item at its own time, in order, and counts all items", () =>
  Effect.gen(function* () {
    const some = actorsWith([{ due: 300 }, { due: 0 }, { due: 100 }, { due: 100 }, { due: 900 }])
    yield* TestClock.setTime(0)
    expect(yield* advance(some.actors, some.setTo, at(500))).toBe(4)
    expect(some.done).toEqual([
      [0, 0],
      [100, 100],
      [100, 100],
      [300, 300]
    ])
    expect(some.now()).toBe(500)
  })
)

it.effect(
  "advancing the clock isn't blocked by an item locked by another node, and counts the item once unlocked",
  () =>
    Effect.gen(function* () {
      const some = actorsWith([{ due: 100, free: 400 }, { due: 200 }])
      yield* TestClock.setTime(0)
      expect(yield* advance(some.actors, some.setTo, at(500))).toBe(2)
      expect(some.done.map(([, when]) => when)).toEqual([500, 500])
    })
)
