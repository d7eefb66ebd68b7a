import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** How much the heap of long-lived objects may grow before the next full collection, in percent of what the last one left. */
const GROWTH_PERCENT = 100

/** The memory for new objects, both halves, from which on it does not grow. Half as much makes lists half as dear again. */
const NEW_SPACE = 32 * 2 ** 20

const growNewSpace = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** V8 halves a space that it takes for too large when the process is idle, so that it must be able to grow again. */
const adjustNewSpace = (): void => {
  const { space_size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space") ?? {}
  growNewSpace(space_size < NEW_SPACE ? 2 : 1)
}

/**
 * Keeps memory close to what is in use: V8 lets a small heap grow to four times that before it collects. By flags that V8
 * reads at each collection, so that they hold however the process was started. What a start makes is mostly there to stay, so
 * that nothing is gained by more space for new objects before it ends.
 */
export const limitHeapGrowth = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  growNewSpace(1)
  new PerformanceObserver(adjustNewSpace).observe({ entryTypes: ["gc"] })
}
