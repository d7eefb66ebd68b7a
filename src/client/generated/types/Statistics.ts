// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { FailingHook } from "./FailingHook.ts"
import type { RealmTotals } from "./RealmTotals.ts"
import type { StatisticsInterval } from "./StatisticsInterval.ts"

/** A statistics. */
export interface Statistics {
  /** The type of the object: always `statistics`. */
  readonly object: "statistics"
  /** The length of each interval. */
  readonly interval: "day" | "hour" | "month"
  /** Unix time in seconds at which the first interval begins. */
  readonly from: number
  /** Unix time in seconds at which the last interval ends, exclusive. */
  readonly to: number
  /** Whether a number reached 50,000, which is where counting stops. The actual number may be higher. */
  readonly truncated: boolean
  /** The current numbers of users and orgs, independent of the period. Counting stops at 1,000,000. */
  readonly totals: RealmTotals
  /** The activity in each interval, earliest first. */
  readonly intervals: ReadonlyArray<StatisticsInterval>
  /** Up to 100 hooks whose deliveries failed in this period, most failures first. */
  readonly failing_hooks: ReadonlyArray<FailingHook>
}
