import type { Refused } from "./Sending.ts"

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

/** A cell that is text for every spreadsheet (SEC-218). */
const cell = (text: string): string => `"${FORMULA.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`

/** A file of CSV with the rows that were refused, and why. */
export const refusedFile = (refused: ReadonlyArray<Refused>): string =>
  [
    "line,reference,problem",
    ...refused.map((row) => [row.line, cell(row.reference), cell(row.errors.join(" "))].join(","))
  ]
    .map((line) => `${line}\n`)
    .join("")
