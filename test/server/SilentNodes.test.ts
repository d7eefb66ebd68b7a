import { expect, test } from "vitest"
import { BEAT, silenceWatch } from "#core/upkeep/SilentNodes"

const node = (id: string, beat: number) => ({ id, beat, keyIds: [] })

/** What is judged at each of many looks, two seconds apart. `others`: the beats of nodes at the nth look. */
const looks = (count: number, others: (n: number) => ReadonlyArray<ReturnType<typeof node>>, from = 0) => {
  const watch = silenceWatch()
  return Array.from({ length: count }, (_, n) => watch(others(n), from + n * BEAT))
}

test("RG-06, C225: a node whose beat stands still for eight seconds is dead, whatever any clock shows; one that beats is not", () => {
  const found = looks(8, (n) => [node("killed", Math.min(n, 1)), node("alive", n)])
  expect(found.map((dead) => dead.join())).toEqual(["", "", "", "", "", "", "killed", "killed"])
})

test("RG-06, C225: whoever was paused, or could not ask the database, begins anew and takes nobody for dead", () => {
  const watch = silenceWatch()
  expect(watch([node("other", 1)], 0)).toEqual([])
  expect(watch([node("other", 1)], 60_000)).toEqual([])
  expect(watch([node("other", 1)], 62_000)).toEqual([])
  expect(watch([node("other", 2)], 64_000)).toEqual([])
})
