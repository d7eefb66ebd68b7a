import { expect, test } from "vitest"
import { HEARTBEAT_MILLIS, silenceDetector } from "#core/nodes/SilenceDetector"

const node = (id: string, beat: number) => ({ id, beat, keyIds: [] })

/** The verdicts of many checks, two seconds apart. `others` returns the heartbeats of the other nodes at the nth check. */
const verdictsOf = (count: number, others: (n: number) => ReadonlyArray<ReturnType<typeof node>>, from = 0) => {
  const watch = silenceDetector()
  return Array.from({ length: count }, (_, n) => watch(others(n), from + n * HEARTBEAT_MILLIS))
}

test("RG-06, C225: a node counts as dead once its heartbeat stalls for eight seconds, regardless of clock times", () => {
  const found = verdictsOf(8, (n) => [node("killed", Math.min(n, 1)), node("alive", n)])
  expect(found.map((dead) => dead.join())).toEqual(["", "", "", "", "", "", "killed", "killed"])
})

test("RG-06, C225: a node doesn't count as dead after a pause or an unreachable database", () => {
  const watch = silenceDetector()
  expect(watch([node("other", 1)], 0)).toEqual([])
  expect(watch([node("other", 1)], 60_000)).toEqual([])
  expect(watch([node("other", 1)], 62_000)).toEqual([])
  expect(watch([node("other", 2)], 64_000)).toEqual([])
})
