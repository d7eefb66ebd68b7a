import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/**
 * How much the heap of long-lived objects may grow before the next full collection, in percent of its size after the
 * last one.
 */
const GROWTH_PERCENT = 100

/**
 * The memory for new objects, both halves together, above which it does not grow. With half as much, lists cost half as
 * much again.
 */
const NEW_SPACE = 32 * 2 ** 20

const growNewSpace = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** V8 halves a space that it considers too large when the process is idle, so the space must be able to grow again. */
const adjustNewSpace = (): void => {
  const { space_size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space") ?? {}
  growNewSpace(space_size < NEW_SPACE ? 2 : 1)
}

/**
 * Keeps memory close to what is in use: V8 lets a small heap grow to four times that size before it collects. It sets
 * flags that V8 reads at each collection, so they apply however the process was started. Most objects created during
 * the start are permanent, so more space for new objects gains nothing before the start ends.
 */
export const limitHeapGrowth = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  growNewSpace(1)
  new PerformanceObserver(adjustNewSpace).observe({ entryTypes: ["gc"] })
}
