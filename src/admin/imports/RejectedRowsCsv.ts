import type { RejectedRow } from "./Sending.ts"

/** The characters that make spreadsheets read a cell as a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

/** Formats a CSV cell that every spreadsheet reads as text (SEC-218). */
const cell = (text: string): string => `"${FORMULA.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`

/** Formats the rejected rows and their errors as a CSV file. */
export const rejectedRowsCsv = (refused: ReadonlyArray<RejectedRow>): string =>
  [
    "line,reference,problem",
    ...refused.map((row) => [row.line, cell(row.reference), cell(row.errors.join(" "))].join(","))
  ]
    .map((line) => `${line}\n`)
    .join("")
