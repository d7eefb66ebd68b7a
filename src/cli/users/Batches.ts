import { createHash, type Hash } from "node:crypto"
import { CommandFailed } from "../CommandFailed.ts"
import type { ClaimedValues } from "./ClaimedValues.ts"
import type { Conversion } from "./Conversion.ts"
import type { ExportMarks } from "./ExportMarks.ts"
import { messageOf, takenMessage } from "./Messages.ts"
import { recordOf } from "./NdjsonRecords.ts"
import type { Read, SourceRecord } from "./Row.ts"
import { SeenReferences } from "./SeenReferences.ts"

/** Identifies a row in messages to users: its line, and the user that it contains. */
export interface RowName {
  readonly line: number
  readonly reference: string | null
  readonly email: string | null
}

/** A row that was not imported, with the reasons. */
export interface RejectedRow extends RowName {
  readonly errors: ReadonlyArray<string>
}

/** The position in an input up to which it has been read. */
export interface Position {
  /** The number of records read. */
  readonly records: number
  /** A checksum of these records. */
  readonly checksum: string
}

/** A place where a batch can be cut: the end of a part of its body. */
export interface Cut {
  /** The number of rows before it, sent and unsent. */
  readonly rows: number
  readonly refused: number
  readonly through: Position
}

/** Rows that are sent in one call. */
export interface Batch {
  /** The number of rows to send. */
  readonly rows: number
  /** Identifies a sent row by its number, starting at 1. */
  readonly nameOf: (row: number) => RowName | undefined
  /** The input's column for a member of a row, if their names differ. */
  readonly columnOf: Conversion["columnOf"]
  /** The unique values in the rows of this call and of earlier calls. */
  readonly values: ClaimedValues
  /** The rows, one per line. */
  readonly body: ReadonlyArray<Buffer>
  readonly bytes: number
  /** The ends of the body's parts. */
  readonly cuts: ReadonlyArray<Cut>
  /** Rows that are not sent. */
  readonly refused: ReadonlyArray<RejectedRow>
  /** The position in the input after this batch's rows. */
  readonly through: Position
}

/** The maximum number of rows and bytes of a batch. */
export interface BatchLimits {
  readonly rows: number
  readonly bytes: number
}

/** The maximum rows of the first batch. It is small, so that an error in all rows is reported early. */
const FIRST_ROWS = 100

/**
 * The maximum bytes of the second batch. Each further batch is half as large again. The second is small, so that an
 * early stop is fast.
 */
const SECOND_BYTES = 256 * 1024
const GROWTH = 1.5

/** The input differs from that of the earlier run. */
export class InputChanged extends Error {}

/** If none of this many first records is an object, the input is assumed to have no rows. */
const RECORDS_WITHOUT_ROWS = 100

/** The number of rows that are joined into one buffer. */
const ROWS_IN_A_PART = 500

const textIn = (record: SourceRecord, member: string): string | null => {
  const value = record[member]
  return typeof value === "string" && value.length <= 1_024 ? value : null
}

const nameOf = (line: number, row: SourceRecord): RowName => ({
  line,
  reference: textIn(row, "reference"),
  email: textIn(row, "email")
})

/** Reads a row's name from the body, which takes less memory than storing all names. */
const nameIn = (body: ReadonlyArray<Buffer>, lines: ReadonlyArray<number>, row: number): RowName | undefined => {
  const [line, part] = [lines[row - 1], body[Math.floor((row - 1) / ROWS_IN_A_PART)]]
  if (line === undefined || part === undefined) return undefined
  const read = recordOf(part.toString().split("\n")[(row - 1) % ROWS_IN_A_PART] ?? "")
  return nameOf(line, "record" in read ? read.record : {})
}

class Gathering {
  readonly #lines: Array<number> = []
  readonly #body: Array<Buffer> = []
  readonly #cuts: Array<Cut> = []
  readonly refused: Array<RejectedRow> = []
  bytes = 0
  #texts: Array<string> = []

  get rows(): number {
    return this.#lines.length
  }

  add(line: number, text: string, here: () => Position): void {
    this.#lines.push(line)
    this.#texts.push(text)
    if (this.#texts.length === ROWS_IN_A_PART) this.#join(here())
    this.bytes += text.length + 1
  }

  batch(through: Position, { conversion: { columnOf }, values }: Pick<Batching, "conversion" | "values">): Batch {
    this.#join(through)
    const [body, lines] = [this.#body, this.#lines]
    return {
      rows: lines.length,
      nameOf: (row) => nameIn(body, lines, row),
      columnOf,
      values,
      body,
      bytes: body.reduce((sum, { length }) => sum + length, 0),
      cuts: this.#cuts,
      refused: this.refused,
      through
    }
  }

  #join(through: Position): void {
    if (this.#texts.length === 0) return
    this.#body.push(Buffer.from(`${this.#texts.join("\n")}\n`))
    this.#cuts.push({ rows: this.rows, refused: this.refused.length, through })
    this.#texts = []
  }
}

/** Options for dividing an input into batches. */
export interface Batching {
  readonly conversion: Conversion
  readonly marks: ExportMarks
  readonly values: ClaimedValues
  readonly limits: BatchLimits
  /** The position where the last run stopped. Earlier records are read but not sent. */
  readonly from: Position | undefined
}

/** Reads records one by one and collects the rows to send. */
class Reader {
  readonly #batching: Batching
  readonly #seen = new SeenReferences()
  readonly #hash: Hash = createHash("sha256")
  #records = 0
  #hasRows = false
  #isFirst = true
  #bytes = SECOND_BYTES
  #gathering = new Gathering()

  constructor(batching: Batching) {
    this.#batching = batching
  }

  get isPassed(): boolean {
    return this.#records >= (this.#batching.from?.records ?? 0)
  }

  get isFull(): boolean {
    const { rows, refused, bytes } = this.#gathering
    const { limits } = this.#batching
    if (this.#isFirst && rows >= FIRST_ROWS) return true
    return rows >= limits.rows || bytes >= Math.min(limits.bytes, this.#bytes) || refused.length >= limits.rows
  }

  get isEmpty(): boolean {
    return this.#gathering.rows + this.#gathering.refused.length === 0
  }

  read(one: Read): void {
    const isSent = this.isPassed
    this.#records += 1
    if ("error" in one) this.#refuse(isSent, { line: one.line, reference: null, email: null }, [one.error])
    else this.#record(isSent, one.line, one.record)
    this.#hasRows ||= "record" in one
    if (!this.#hasRows && this.#records === RECORDS_WITHOUT_ROWS) {
      this.#gathering = new Gathering()
      throw new CommandFailed({ happened: messageOf("no_rows", { lines: RECORDS_WITHOUT_ROWS }) })
    }
    const { from } = this.#batching
    if (from?.records === this.#records && from.checksum !== this.#checksum()) throw new InputChanged()
  }

  take(): Batch {
    const batch = this.#gathering.batch(this.#position(), this.#batching)
    this.#gathering = new Gathering()
    if (!this.#isFirst) this.#bytes *= GROWTH
    this.#isFirst = false
    return batch
  }

  #record(isSent: boolean, line: number, record: SourceRecord): void {
    const { conversion, marks, values } = this.#batching
    const row = marks.take(record) ? undefined : conversion.rowOf(record)
    if (row === undefined) {
      this.#hash.update("\n")
      return
    }
    const text = JSON.stringify(row)
    const reference = textIn(row, "reference")
    const first = reference === null ? undefined : this.#seen.add(reference, line)
    if (first !== undefined) {
      this.#refuse(isSent, nameOf(line, row), [messageOf("repeated_row", { line: first }, "reference")])
      return
    }
    const conflicts = values.conflictsWithEarlierCalls(row)
    if (conflicts.length > 0) {
      this.#refuse(isSent, nameOf(line, row), conflicts.map(takenMessage))
      return
    }
    this.#hash.update(text).update("\n")
    if (!isSent) return
    values.open(row, line)
    const sent = values.prepareForDryRun(row)
    this.#gathering.add(line, sent === row ? text : JSON.stringify(sent), () => this.#position())
  }

  #refuse(isSent: boolean, name: RowName, errors: ReadonlyArray<string>): void {
    this.#hash.update(errors.join(" ")).update("\n")
    if (isSent) this.#gathering.refused.push({ ...name, errors })
  }

  #position(): Position {
    return { records: this.#records, checksum: this.#checksum() }
  }

  #checksum(): string {
    return this.#hash.copy().digest("base64url")
  }
}

/** Returns the rows of an input in batches. If reading fails, yields the rows read before that, then throws. */
export async function* batchesOf(
  records: AsyncIterable<ReadonlyArray<Read>>,
  batching: Batching
): AsyncGenerator<Batch> {
  const reader = new Reader(batching)
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const some of records) {
      for (const one of some) {
        reader.read(one)
        if (reader.isFull) yield reader.take()
      }
    }
  } catch (error) {
    if (error instanceof InputChanged) throw error
    failure = { error }
  }
  if (!reader.isPassed) throw failure?.error ?? new InputChanged()
  if (!reader.isEmpty) yield reader.take()
  if (failure !== undefined) throw failure.error
}
