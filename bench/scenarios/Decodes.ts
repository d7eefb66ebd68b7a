import { execFileSync } from "node:child_process"
import { spreadOf } from "../load/Rounds.ts"
import type { ResultTable } from "../report/ResultTable.ts"
import { spread, verdict } from "../report/Table.ts"
import type { Context } from "./Scenario.ts"

const program = new URL("./DecodeRate.ts", import.meta.url).pathname

/** The output of the program. `micros`: the CPU time of one decode in each round. */
interface DecodeRates {
  readonly rates: ReadonlyArray<{
    readonly name: string
    readonly target?: number
    readonly bytes: number
    readonly micros: ReadonlyArray<number>
  }>
  readonly wrong: number
}

/** Measures the client's `decode` in a separate process, after a warm-up round. */
export const measureDecodes = async ({ quick }: Pick<Context, "quick">): Promise<ResultTable> => {
  const pace = quick ? ["3", "5000"] : ["7", "20000"]
  const { rates, wrong }: DecodeRates = JSON.parse(
    execFileSync(process.execPath, [program, ...pace], { encoding: "utf8" })
  )
  return {
    title: "decode, CPU of all threads, µs",
    rows: rates.map(({ name, target, bytes, micros }) => {
      const found = spreadOf(micros)
      return [`${name}, ${bytes} bytes`, spread(found, 1), verdict(target, found.median)]
    }),
    wrong,
    firstWrong: wrong === 0 ? undefined : "A valid token was rejected."
  }
}
