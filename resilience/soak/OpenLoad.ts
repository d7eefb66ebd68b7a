import { setTimeout } from "node:timers/promises"

/** The maximum number of concurrent visits. If there are more, the service can't keep up. */
const MAX_CONCURRENT_VISITS = 300

/**
 * Starts visits at a fixed rate, whether or not earlier visits are done. Resolves when the time is over and all visits
 * are done.
 */
export const openLoad = async (perSecond: number, millis: number, visit: () => Promise<void>) => {
  const inProgress = new Set<Promise<void>>()
  let late = 0
  const from = performance.now()
  for (let begun = 0; performance.now() - from < millis; await setTimeout(2)) {
    for (; begun < (perSecond * (performance.now() - from)) / 1_000; begun++) {
      const one = visit().finally(() => inProgress.delete(one))
      inProgress.add(one)
    }
    late = Math.max(late, inProgress.size)
    if (late > MAX_CONCURRENT_VISITS)
      throw new Error(`The service does not keep up: ${late} visits are in progress at once.`)
  }
  await Promise.all(inProgress)
  return { late }
}
