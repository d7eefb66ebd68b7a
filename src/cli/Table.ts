import { visible } from "./Visible.ts"

/** Formats rows as columns, two spaces apart. The first row has the headers. */
export const table = (cells: ReadonlyArray<ReadonlyArray<string>>): string => {
  const rows = cells.map((row) => row.map(visible))
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)))
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()
  return rows.map(line).join("\n")
}
