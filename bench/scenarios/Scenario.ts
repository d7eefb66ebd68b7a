import type { Program } from "../../test/harness/Servers.ts"
import type { Pace } from "../load/Rounds.ts"
import type { ResultTable } from "../report/ResultTable.ts"

/** The input of a scenario that creates its own data. */
export interface Context {
  readonly service: Program
  /** The plain server, the baseline. */
  readonly plain: Program
  readonly rootKey: string
  /** The database of the service. */
  readonly url: string
  /** Whether the benchmark started PostgreSQL and may pin it to other cores. */
  readonly ownsPostgres: boolean
  readonly quick: boolean
  readonly pace: Pace
}

/** A measurement that creates its own data and whose result is one table. */
export interface Scenario {
  /** The name for `--only`. */
  readonly name: string
  readonly measure: (context: Context) => Promise<ResultTable>
}
