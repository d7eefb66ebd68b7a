// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { FailingHook } from "./FailingHook.ts"
import type { StatisticsInterval } from "./StatisticsInterval.ts"

/** A statistics. */
export interface Statistics {
  /** The type of the object: always `statistics`. */
  readonly object: "statistics"
  /** The length of each interval. */
  readonly interval: "day" | "hour"
  /** Unix time in seconds at which the first interval begins. */
  readonly from: number
  /** Unix time in seconds at which the last interval ends, which it does not include. */
  readonly to: number
  /** Whether a number reached 50,000, beyond which none is counted. There may be more than it says. */
  readonly truncated: boolean
  /** What happened in each interval, the earliest first. */
  readonly intervals: ReadonlyArray<StatisticsInterval>
  /** Up to ten hooks with deliveries of this period that failed, most failures first. */
  readonly failing_hooks: ReadonlyArray<FailingHook>
}
