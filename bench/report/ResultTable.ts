import { table } from "../../test/harness/Figures.ts"
import type { CaseResult } from "../load/Rounds.ts"
import { spread, verdict } from "./Table.ts"

/** The figures of a scenario in their display format. */
export interface ResultTable {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [what: string, figure: string, target: string]>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** Describes a target, and whether it was met. */
export const targetVerdict = (isMet: boolean, target: string) => `${isMet ? "met" : "missed"}: ${target}`

/** Rows for cases that are compared with one other side: the ratio of CPU time per request, and both figures. */
export const comparedRows = (cases: ReadonlyArray<CaseResult>): ResultTable["rows"] =>
  cases.flatMap(({ title, service, others }) =>
    others.map(({ window, cpuRatio, target }): ResultTable["rows"][number] => {
      const micros = `${service.cpuMicros.toFixed(0)} / ${window.cpuMicros.toFixed(0)} µs`
      return [title, `${spread(cpuRatio, 2)}; ${micros}`, verdict(target, cpuRatio.median)]
    })
  )

/** Sums up the wrong responses of several measurements. */
export const wrongOf = (measured: ReadonlyArray<Pick<ResultTable, "wrong" | "firstWrong">>) => ({
  wrong: measured.reduce((sum, { wrong }) => sum + wrong, 0),
  firstWrong: measured.find(({ firstWrong }) => firstWrong !== undefined)?.firstWrong
})

/** The table as Markdown. */
export const renderedTable = ({ title, rows, wrong }: ResultTable): string =>
  table([title, "", "target"], [...rows, ["wrong responses", String(wrong), ""]])
