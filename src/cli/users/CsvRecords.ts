import { parse } from "csv-parse"
import { CommandFailed } from "../CommandFailed.ts"
import { LINE_BYTES } from "./NdjsonRecords.ts"
import type { Read } from "./Row.ts"
import { count, numeral, said } from "./Sentences.ts"
import { isGarbled } from "./TextEncodings.ts"

/** How a CSV is read. */
export interface CsvOptions {
  readonly delimiter: string
  /** The columns of a system that writes no header. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Is told the columns before the first record, and throws if they can't be read. */
  readonly onColumns: (columns: ReadonlyArray<string>) => void
}

/** The character that most likely stands between the cells of a line: comma, semicolon or tab. */
export const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"[^"]*"/g, "")
  const occurrences = (mark: string) => bare.split(mark).length
  return [",", ";", "\t"].reduce((best, mark) => (occurrences(mark) > occurrences(best) ? mark : best))
}

interface Cells {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

const linesWithin = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + (cell.includes("\n") ? cell.split("\n").length - 1 : 0), 0)

const recordOf = (columns: ReadonlyArray<string>, { cells, line }: Cells): Read => {
  if (cells.some(isGarbled)) return { line, error: said("line_not_utf8") }
  const more = cells.slice(columns.length)
  if (cells.length < columns.length || more.some((cell) => cell.trim() !== "")) {
    return {
      line,
      error: `The line has ${count(cells.length, "cell")}, and the header has ${numeral(columns.length)}.`
    }
  }
  return { line, record: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])) }
}

/** Which record could not be read to its end, and why. */
const broken = (code: unknown, line: number, error: unknown): CommandFailed => {
  const isOpen = code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE"
  const happened = isOpen
    ? `A quotation mark opens on line ${numeral(line)} or right after, and is never closed, so nothing can be read from there on.`
    : `The CSV can't be read from line ${numeral(line)} on: ${error instanceof Error ? error.message : String(error)}`
  return new CommandFailed({ happened, todo: "Mend that line and run the command again." })
}

/** The records of a CSV in UTF-8, by their columns. */
export async function* csvRecords(
  source: AsyncIterable<Buffer>,
  { delimiter, columns: given, onColumns }: CsvOptions
): AsyncGenerator<ReadonlyArray<Read>> {
  let waiting: Array<Cells> = []
  let last = 0
  let columns: ReadonlyArray<string> | undefined
  let failure: unknown
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES,
    // Records are kept here: those that wait in the stream would be lost with an error further down.
    on_record: (cells: ReadonlyArray<string>, { lines }) => {
      waiting.push({ cells, line: lines - linesWithin(cells) })
      last = lines
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
      columns = given ?? rows.shift()?.cells.map((name) => name.trim()) ?? []
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
