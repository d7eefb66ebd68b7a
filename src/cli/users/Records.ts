import { extname } from "node:path"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import { csvRecords, delimiterLine, delimiterOf } from "./CsvRecords.ts"
import type { Input } from "./InputFile.ts"
import { jsonRecords } from "./JsonRecords.ts"
import { ndjsonRecords } from "./NdjsonRecords.ts"
import type { Preset } from "./presets/Preset.ts"
import type { Read } from "./Row.ts"
import { asUtf8, type TextEncoding } from "./TextEncodings.ts"
import { isObject } from "./Values.ts"

/** The input formats: one object per line, a table, or one JSON document. */
export const inputFormats = ["ndjson", "csv", "json"] as const

export type InputFormat = (typeof inputFormats)[number]

/** Options for reading an input. */
export interface Reading {
  readonly format: InputFormat | undefined
  readonly encoding: TextEncoding
  readonly preset: Preset | undefined
  readonly onColumns: (columns: ReadonlyArray<string>) => void
}

const byExtension: Readonly<Record<string, InputFormat>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson"
}

/** The number of bytes inspected to detect the format. */
const DETECTION_BYTES = 64 * 1024

const NEWLINE = 10

const isWholeObject = (line: string, lists: ReadonlyArray<string>): boolean => {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && !lists.some((name) => Array.isArray(value[name]))
  } catch {
    return false
  }
}

/** Detects the format by file name, or else by content. `.json` files may also have one object per line. */
const formatOf = (name: string, head: string, lists: ReadonlyArray<string>): InputFormat => {
  const extension = extname(name.replace(/\.gz$/i, "")).toLowerCase()
  const named = byExtension[extension]
  if (named !== undefined) return named
  const text = head.trimStart()
  if (text.startsWith("[")) return "json"
  if (!text.startsWith("{")) return "csv"
  const end = text.indexOf("\n")
  if (end === -1) return isWholeObject(text, lists) ? "ndjson" : "json"
  return isWholeObject(text.slice(0, end), lists) ? "ndjson" : "json"
}

/** Reads the start of an input without consuming it. */
const peek = async (source: AsyncGenerator<Buffer>) => {
  const first: Array<Buffer> = []
  let length = 0
  while (length < DETECTION_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    first.push(next.value)
    length += next.value.length
  }
  async function* all() {
    yield* first
    yield* source
  }
  return { head: Buffer.concat(first).toString(), all: all() }
}

/** The bytes after the first line. */
async function* withoutFirstLine(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isInLine = true
  for await (const chunk of source) {
    if (!isInLine) yield chunk
    else {
      const end = chunk.indexOf(NEWLINE)
      isInLine = end === -1
      if (end !== -1) yield chunk.subarray(end + 1)
    }
  }
}

/** The columns of a system whose exports have no header, unless the input has one. */
const columnsOf = (preset: Preset | undefined, header: string): ReadonlyArray<string> | undefined => {
  const [first] = preset?.header ?? []
  return first === undefined || header.startsWith(first) ? undefined : preset?.header
}

/** The objects of an input, in chunks. */
export async function* recordsOf(
  input: Input,
  { format, encoding, preset, onColumns }: Reading
): AsyncGenerator<ReadonlyArray<Read>> {
  const { head, all } = await peek(asUtf8(input.bytes, encoding))
  if (head.trim() === "") {
    if (input.path === undefined) {
      throw new CommandFailed({
        happened: "No input: no file was given, and stdin is empty.",
        todo: "Give a file, as in sallyport users import users.ndjson, or pipe users into the command."
      })
    }
    throw new CommandFailed({
      happened: `${input.name} is empty.`,
      todo: "Export the users again and use the new file."
    })
  }
  const lists = preset?.lists ?? ["users"]
  const found = format ?? formatOf(input.path ?? "", head, lists)
  if (found === "ndjson") yield* ndjsonRecords(all)
  else if (found === "json") yield* jsonRecords(all, lists)
  else {
    const [first = "", second = ""] = head.split(/\r?\n|\r/, 2)
    const delimiter = delimiterLine(first)
    const header = delimiter === undefined ? first : second
    if (preset === undefined && header.includes("@")) {
      throw new WrongUsage({
        happened: `${input.name} looks like CSV, but its first line is not a header: it contains an email address.`,
        todo: "Add a line with the column names at the top, or set the format with --format ndjson or --format json."
      })
    }
    yield* csvRecords(delimiter === undefined ? all : withoutFirstLine(all), {
      delimiter: delimiter ?? delimiterOf(header),
      columns: columnsOf(preset, header),
      linesBefore: delimiter === undefined ? 0 : 1,
      onColumns
    })
  }
}
