/** The characters that make spreadsheets read a cell as a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

/** Formats a CSV cell that every spreadsheet reads as text (SEC-218). */
export const csvCell = (text: string): string => `"${FORMULA.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`
