import type { RejectedRow } from "./Sending.ts"

/** The characters that make spreadsheets read a cell as a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

/** A CSV cell that every spreadsheet reads as text (SEC-218). */
const cell = (text: string): string => `"${FORMULA.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`

/** A CSV file of the rejected rows with the reasons. */
export const rejectedRowsCsv = (refused: ReadonlyArray<RejectedRow>): string =>
  [
    "line,reference,problem",
    ...refused.map((row) => [row.line, cell(row.reference), cell(row.errors.join(" "))].join(","))
  ]
    .map((line) => `${line}\n`)
    .join("")
