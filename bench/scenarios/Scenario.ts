import type { Program } from "../harness/Servers.ts"
import type { Pace } from "../load/Rounds.ts"
import type { ResultTable } from "../report/ResultTable.ts"

/** What a scenario that makes its own data is given. */
export interface Context {
  readonly service: Program
  /** The baseline that runs the same statements, and the plain one. */
  readonly baseline: Program
  readonly plain: Program
  readonly rootKey: string
  /** The database of the service. */
  readonly url: string
  /** Whether the bench started PostgreSQL and may move it to other cores. */
  readonly ownsPostgres: boolean
  readonly quick: boolean
  readonly pace: Pace
}

/** A measurement that makes its own data and whose result is one table. */
export interface Scenario {
  /** The name for `--only`. */
  readonly name: string
  readonly measure: (context: Context) => Promise<ResultTable>
}
