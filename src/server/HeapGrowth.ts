import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/**
 * The growth of the heap of long-lived objects that triggers a full collection, in percent of the size after the last
 * one.
 */
const GROWTH_PERCENT = 100

/**
 * The size of the memory for new objects (both halves, in bytes) above which it stops growing. With half this size,
 * listing takes 50 % more time.
 */
const NEW_SPACE = 32 * 2 ** 20

const growNewSpace = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * Lets the space for new objects grow up to `NEW_SPACE`. V8 halves the space while the process is idle, so it must be
 * able to grow again.
 */
const adjustNewSpace = (): void => {
  const { space_size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space") ?? {}
  growNewSpace(space_size < NEW_SPACE ? 2 : 1)
}

/**
 * Keeps memory use close to what is needed: by default, V8 lets a small heap grow to four times its size before
 * collecting. V8 reads these flags at each collection, so they apply however the process was started. The space for new
 * objects doesn't grow during the start, because most objects created then are permanent.
 */
export const limitHeapGrowth = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  growNewSpace(1)
  new PerformanceObserver(adjustNewSpace).observe({ entryTypes: ["gc"] })
}

let holders = 0

/**
 * Stops the space for new objects from growing until the returned function is called, for work whose objects stay. Without this,
 * the space grows to its maximum during that work and isn't returned.
 */
export const holdNewSpace = (): (() => void) => {
  holders += 1
  growNewSpace(1)
  return () => {
    holders -= 1
    if (holders === 0) growNewSpace(2)
  }
}
