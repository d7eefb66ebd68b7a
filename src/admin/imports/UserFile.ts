import { parse } from "csv-parse/browser/esm/sync"
import { parseJson } from "#domain/ExactJson"
import { isObject } from "#domain/JsonObject"
import { decodeUtf8 } from "#domain/Utf8"

/** A record of a table, with its first line. */
export interface TableRecord {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** A JSON object with its line, or a line that doesn't contain an object. */
export type JsonRecord =
  | { readonly line: number; readonly row: object }
  | { readonly line: number; readonly row: undefined }

/** The contents of a file of users. */
export type UserFile =
  | { readonly format: "csv"; readonly columns: ReadonlyArray<string>; readonly records: ReadonlyArray<TableRecord> }
  | { readonly format: "json"; readonly records: ReadonlyArray<JsonRecord> }

/** A file can't be read. */
export class UnreadableFile extends Error {
  readonly reason: "empty" | "too_large" | "not_utf8" | "no_header" | "malformed"

  constructor(reason: UnreadableFile["reason"]) {
    super(reason)
    this.reason = reason
  }
}

/** The maximum size of a file, in bytes. The browser holds all of it in memory. */
const MAX_BYTES = 64 * 1024 * 1024

const BOM = /^\ufeff/

/** Guesses the delimiter of the header: comma, semicolon or tab. */
const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"[^"]*"/g, "")
  const occurrences = (mark: string) => bare.split(mark).length
  return [",", ";", "\t"].reduce((best, mark) => (occurrences(mark) > occurrences(best) ? mark : best))
}

const linesWithin = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0)

const tableOf = (text: string): UserFile => {
  const records: Array<TableRecord> = []
  const header = text.split(/\r?\n|\r/, 1)[0] ?? ""
  try {
    parse(text, {
      delimiter: delimiterOf(header),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // The records are collected here, because only this callback gets their lines.
      on_record: (cells: ReadonlyArray<string>, { lines }) => {
        records.push({ line: lines - linesWithin(cells), cells })
        return null
      }
    })
  } catch {
    throw new UnreadableFile("malformed")
  }
  const [first, ...rest] = records
  if (first === undefined) throw new UnreadableFile("empty")
  if (first.cells.some((cell) => cell.includes("@"))) throw new UnreadableFile("no_header")
  return { format: "csv", columns: first.cells.map((cell) => cell.trim()), records: rest }
}

const objectOf = (value: unknown): object | undefined => (isObject(value) ? value : undefined)

const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether a line is an export's start or end marker rather than a user. */
const isMark = (row: object): boolean => "object" in row && (row.object === "export" || row.object === "export_end")

const recordsOf = (values: ReadonlyArray<{ readonly line: number; readonly value: unknown }>): UserFile => ({
  format: "json",
  records: values
    .map(({ line, value }) => ({ line, row: objectOf(value) }))
    .filter(({ row }) => row === undefined || !isMark(row))
})

/** Reads a file of users: CSV with a header, one JSON object per line, or a JSON array. Throws `UnreadableFile`. */
export const readUsers = async (file: File): Promise<UserFile> => {
  if (file.size > MAX_BYTES) throw new UnreadableFile("too_large")
  const decoded = decodeUtf8(await file.arrayBuffer())
  if (decoded === undefined) throw new UnreadableFile("not_utf8")
  const text = decoded.replace(BOM, "")
  const start = text.trimStart().slice(0, 1)
  if (start === "") throw new UnreadableFile("empty")
  if (start === "[") {
    const list = parsed(text)
    if (!Array.isArray(list)) throw new UnreadableFile("malformed")
    return recordsOf(list.map((value: unknown, index) => ({ line: index + 1, value })))
  }
  if (start !== "{") return tableOf(text)
  const lines = text.split("\n").map((line, index) => ({ line: index + 1, text: line }))
  return recordsOf(
    lines.filter((one) => one.text.trim() !== "").map((one) => ({ line: one.line, value: parsed(one.text) }))
  )
}
