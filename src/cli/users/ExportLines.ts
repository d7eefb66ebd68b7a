import { UserRow } from "#api/imports/Rows"
import { recordOf } from "./NdjsonRecords.ts"
import type { SourceRecord } from "./Row.ts"
import { isObject } from "./Values.ts"

/** The output formats of an export: the service's own, or a table. */
export const exportFormats = ["ndjson", "csv"] as const

export type ExportFormat = (typeof exportFormats)[number]

const NEWLINE = 10

/** An export contains no IDs, which only an import from another service keeps. */
const columns = Object.keys(UserRow.fields).filter((name) => name !== "id")

/** Formats a CSV cell (RFC 4180 §2). */
const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (cells: ReadonlyArray<unknown>): string => `${cells.map(cell).join(",")}\r\n`

/** Reads an export as it arrives: its start marker, its number of users, and whether it is complete. */
export class ExportLines {
  readonly #format: ExportFormat
  #users = 0
  #isFirst = true
  #isWhole = false
  #secrets: boolean | undefined

  constructor(format: ExportFormat) {
    this.#format = format
  }

  get users(): number {
    return this.#users
  }

  /** Whether the end marker has arrived and its count matches. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Whether the export contains passwords, or undefined without a start marker. */
  get secrets(): boolean | undefined {
    return this.#secrets
  }

  /** Converts an export to the output format. */
  async *written(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    let rest = Buffer.alloc(0)
    for await (const chunk of source) {
      const bytes = Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(NEWLINE) + 1
      rest = bytes.subarray(end)
      if (end > 0) yield this.#lines(bytes.subarray(0, end))
    }
  }

  #lines(bytes: Buffer): Buffer {
    if (this.#format === "csv")
      return Buffer.from(
        bytes
          .toString()
          .trimEnd()
          .split("\n")
          .map((line) => this.#csv(line))
          .join("")
      )
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#take(bytes.subarray(from, end))
      from = end + 1
    }
    return bytes
  }

  /** Counts a line. Only the first line and possible end markers are parsed. */
  #take(line: Buffer): void {
    if (this.#isFirst || line.includes('"export_end"')) this.#record(this.#parsed(line.toString()))
    else this.#users += 1
  }

  #csv(line: string): string {
    const record = this.#parsed(line)
    if (this.#record(record)) return csvLine(columns.map((column) => record[column]))
    return record["object"] === "export" ? csvLine(columns) : ""
  }

  /** Processes a line. Returns whether it is a user. */
  #record(record: SourceRecord): boolean {
    if (this.#isFirst) {
      this.#isFirst = false
      this.#secrets = record["object"] === "export" ? record["secrets"] === true : undefined
      return false
    }
    if (record["object"] === "export_end") {
      this.#isWhole = record["users"] === this.#users
      return false
    }
    this.#users += 1
    return true
  }

  #parsed(line: string): SourceRecord {
    const read = recordOf(line)
    return "record" in read ? read.record : {}
  }
}
