import { parse } from "csv-parse"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import { count, messageOf, numeral } from "./Messages.ts"
import { LINE_BYTES } from "./NdjsonRecords.ts"
import type { Read } from "./Row.ts"
import { utf8Of } from "./TextEncodings.ts"

/** Options for reading a CSV. */
export interface CsvOptions {
  readonly delimiter: string
  /** The columns of a system whose exports have no header. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** The number of lines before the table. */
  readonly linesBefore: number
  /** Called with the columns before the first record. Throws if they can't be read. */
  readonly onColumns: (columns: ReadonlyArray<string>) => void
}

/** Guesses the delimiter of the header: comma, semicolon or tab. */
export const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"[^"]*"/g, "")
  const occurrences = (mark: string) => bare.split(mark).length
  return [",", ";", "\t"].reduce((best, mark) => (occurrences(mark) > occurrences(best) ? mark : best))
}

/** Parses `sep=;`, the line before the header that sets the delimiter for Excel. Returns undefined for other lines. */
export const delimiterLine = (line: string): string | undefined => /^sep=([^"])$/i.exec(line)?.[1]

/** Rejects duplicate column names, because only the last one would be read. */
const refuseRepeated = (columns: ReadonlyArray<string>): void => {
  const duplicate = columns.find((column, index) => column !== "" && columns.indexOf(column) !== index)
  if (duplicate === undefined) return
  throw new WrongUsage({ happened: `Two columns are named ${duplicate}.`, todo: "Rename one of them." })
}

interface Cells {
  readonly cells: ReadonlyArray<Buffer>
  readonly line: number
}

const NEWLINE = 10

const linesWithin = (cells: ReadonlyArray<Buffer>): number =>
  cells.reduce((sum, cell) => sum + (cell.includes(NEWLINE) ? cell.toString("latin1").split("\n").length - 1 : 0), 0)

const recordOf = (columns: ReadonlyArray<string>, { cells: bytes, line }: Cells): Read => {
  const cells = bytes.map(utf8Of).filter((cell) => cell !== undefined)
  if (cells.length < bytes.length) return { line, error: messageOf("line_not_utf8") }
  const more = cells.slice(columns.length)
  if (cells.length < columns.length || more.some((cell) => cell.trim() !== "")) {
    return {
      line,
      error: `The line has ${count(cells.length, "cell")}, but the header has ${numeral(columns.length)}.`
    }
  }
  return { line, record: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])) }
}

/** The error for a record whose end could not be read. */
const broken = (code: unknown, line: number, error: unknown): CommandFailed => {
  const isOpen = code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE"
  const happened = isOpen
    ? `A quotation mark on line ${numeral(line)} or right after is never closed, so the rest can't be read.`
    : `Can't read the CSV from line ${numeral(line)} on: ${error instanceof Error ? error.message : String(error)}`
  return new CommandFailed({ happened, todo: "Fix that line and run the command again." })
}

/** The records of a UTF-8 CSV, by column. */
export async function* csvRecords(
  source: AsyncIterable<Buffer>,
  { delimiter, columns: given, linesBefore, onColumns }: CsvOptions
): AsyncGenerator<ReadonlyArray<Read>> {
  let waiting: Array<Cells> = []
  let last = linesBefore
  let columns: ReadonlyArray<string> | undefined
  let failure: unknown
  const parser = parse({
    // Cells are read as bytes, because replacement characters from decoding can't be distinguished from those in the text.
    encoding: null,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES,
    // Records are collected here, because those buffered in the stream are lost after an error.
    on_record: (record: ReadonlyArray<unknown>, { lines }) => {
      const cells = record.filter((cell) => Buffer.isBuffer(cell))
      waiting.push({ cells, line: linesBefore + lines - linesWithin(cells) })
      last = linesBefore + lines
      return null
    }
  })
  const closed = new Promise((resolve) => parser.once("close", resolve))
  parser.resume()
  parser.on("error", (error) => {
    failure = error
  })
  const take = (): ReadonlyArray<Read> => {
    const rows = waiting
    waiting = []
    if (columns === undefined && rows.length > 0) {
      columns = given ?? rows.shift()?.cells.map((name) => name.toString().trim()) ?? []
      refuseRepeated(columns)
      onColumns(columns)
    }
    const names = columns ?? []
    return rows.map((row) => recordOf(names, row))
  }
  const fail = () => {
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined
    return broken(code, last + 1, failure)
  }
  for await (const chunk of source) {
    await new Promise((resolve) => parser.write(chunk, resolve))
    yield take()
    if (failure !== undefined) throw fail()
  }
  parser.end()
  await closed
  yield take()
  if (failure !== undefined) throw fail()
}
