import { csvCell } from "../ui/Csv.ts"
import type { RejectedRow } from "./Sending.ts"

/** Formats the rejected rows and their errors as a CSV file. */
export const rejectedRowsCsv = (refused: ReadonlyArray<RejectedRow>): string =>
  [
    "line,reference,problem",
    ...refused.map((row) => [row.line, csvCell(row.reference), csvCell(row.errors.join(" "))].join(","))
  ]
    .map((line) => `${line}\n`)
    .join("")
