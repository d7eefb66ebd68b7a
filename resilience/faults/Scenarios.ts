import { clockJumps } from "./ClockJumps.ts"
import { deadlocks } from "./Deadlocks.ts"
import { diskFull } from "./DiskFull.ts"
import { failover } from "./Failover.ts"
import { hangingMailAndReceivers } from "./HangingMailAndReceivers.ts"
import { networkCut } from "./NetworkCut.ts"
import { poolExhaustion } from "./PoolExhaustion.ts"
import { restartsInTheMiddle } from "./RestartsInTheMiddle.ts"
import type { Scenario } from "./Scenario.ts"
import { slowLoris } from "./SlowLoris.ts"

/** Every scenario of `npm run faults`, in execution order. */
export const scenarios: ReadonlyArray<Scenario> = [
  failover,
  diskFull,
  networkCut,
  restartsInTheMiddle,
  deadlocks,
  clockJumps,
  hangingMailAndReceivers,
  poolExhaustion,
  slowLoris
]
