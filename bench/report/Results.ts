import type { CaseResult } from "../load/Rounds.ts"
import type { CodeExchanges } from "../scenarios/CodeExchanges.ts"
import type { DeliveryIsolation } from "../scenarios/DeliveryIsolation.ts"
import type { DeliveryThroughput } from "../scenarios/DeliveryThroughput.ts"
import type { InvitationExpiry } from "../scenarios/InvitationExpiry.ts"
import type { LoginThroughput } from "../scenarios/LoginThroughput.ts"
import type { RealmDeletion } from "../scenarios/RealmDeletion.ts"
import type { RefusalTimes } from "../scenarios/RefusalTimes.ts"
import type { SlowTemplates } from "../scenarios/SlowTemplates.ts"
import type { StartupTimes } from "../scenarios/StartupTimes.ts"
import type { ResultTable } from "./ResultTable.ts"

/** The resident memory of a server in MiB: after the start, after all cases, and at its peak. */
export interface MemoryRow {
  readonly name: string
  readonly started: number
  readonly loaded: number
  readonly peak: number
  /** The maximum after the start and after the load, or undefined if there is no target. */
  readonly targets: { readonly started: number; readonly loaded: number } | undefined
}

/** The results of a run, in the format of the JSON file. */
export interface Results {
  readonly at: string
  readonly quick: boolean
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly node: string
    readonly postgres: string
    readonly placement: string
  }
  readonly pace: { readonly rounds: number; readonly connections: number; readonly windowMillis: number }
  readonly rows: ReadonlyArray<CaseResult>
  readonly memory: ReadonlyArray<MemoryRow>
  /** The cost of rate limits, compared with the service without rate limits. */
  readonly limits: ReadonlyArray<CaseResult>
  readonly logins: ReadonlyArray<LoginThroughput>
  /** The scenarios whose result is one table. */
  readonly tables: ReadonlyArray<ResultTable>
  readonly refusalTimes: ReadonlyArray<RefusalTimes>
  readonly codeExchanges: ReadonlyArray<CodeExchanges>
  readonly throughputs: ReadonlyArray<DeliveryThroughput>
  readonly isolations: ReadonlyArray<DeliveryIsolation>
  readonly realmDeletions: ReadonlyArray<RealmDeletion>
  readonly slowTemplates: ReadonlyArray<SlowTemplates>
  readonly invitationExpiries: ReadonlyArray<InvitationExpiry>
  readonly startupTimes: ReadonlyArray<StartupTimes>
}
