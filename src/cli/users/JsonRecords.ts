import { CommandFailed } from "../CommandFailed.ts"
import { count, messageOf } from "./Messages.ts"
import { LINE_BYTES, recordOf } from "./NdjsonRecords.ts"
import type { Read } from "./Row.ts"
import { utf8Of } from "./TextEncodings.ts"

const [NEWLINE, QUOTE, BACKSLASH, COLON] = [10, 34, 92, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125]

/** The error for a document that is cut off or contains no list of users. */
const failed = (happened: string) =>
  new CommandFailed({ happened, todo: "Export the users again and use the new file." })

/**
 * Finds the objects of a list in a JSON document as its bytes arrive. The list is the document itself, or one of the
 * named members. Holds at most one object in memory.
 */
class ListScanner {
  readonly #names: ReadonlySet<string>
  #open: Array<number> = []
  #isText = false
  #isEscaped = false
  /** The last string at the top level. If a member follows, it is the member's name. */
  #text = ""
  #name = ""
  #line = 1
  /** The depth of the list, or 0 outside of the list. */
  #list = 0
  #parts: Array<Buffer> = []
  #bytes = 0
  #begins = 1
  #isObject = false
  hasList = false

  constructor(names: ReadonlyArray<string>) {
    this.#names = new Set(names)
  }

  get isWhole(): boolean {
    return this.#open.length === 0
  }

  push(chunk: Buffer): ReadonlyArray<Read> {
    const found: Array<Read> = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === NEWLINE) this.#line += 1
      if (this.#isText) this.#inText(byte)
      else if (byte === QUOTE) this.#beginText()
      else if (byte === COLON && this.#open.length === 1) this.#name = this.#text
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (this.#opens(byte)) from = at
      } else if ((byte === CLOSE || byte === CLOSE_LIST) && this.#closes()) {
        this.#keep(chunk.subarray(from, at + 1))
        found.push(this.#take())
      }
    }
    if (this.#isObject) this.#keep(chunk.subarray(from))
    return found
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isText = false
    else if (this.#open.length === 1 && this.#text.length < 64) this.#text += String.fromCharCode(byte)
  }

  #beginText(): void {
    this.#isText = true
    if (this.#open.length === 1) this.#text = ""
  }

  /** Whether an object of the list starts. */
  #opens(byte: number): boolean {
    const depth = this.#open.push(byte)
    const isNamed = depth === 2 && this.#open[0] === OPEN && this.#names.has(this.#name)
    if (byte === OPEN_LIST && this.#list === 0 && (depth === 1 || isNamed)) {
      this.#list = depth
      this.hasList = true
      return false
    }
    if (byte !== OPEN || this.#list === 0 || depth !== this.#list + 1) return false
    this.#isObject = true
    this.#begins = this.#line
    return true
  }

  /** Whether an object of the list ends. */
  #closes(): boolean {
    this.#open.pop()
    const depth = this.#open.length
    if (depth < this.#list) this.#list = 0
    if (!this.#isObject || depth !== this.#list) return false
    this.#isObject = false
    return true
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > LINE_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  #take(): Read {
    const [parts, bytes] = [this.#parts, this.#bytes]
    this.#parts = []
    this.#bytes = 0
    if (bytes > LINE_BYTES) return { line: this.#begins, error: messageOf("line_too_long") }
    const text = utf8Of(Buffer.concat(parts))
    return { line: this.#begins, ...(text === undefined ? { error: messageOf("line_not_utf8") } : recordOf(text)) }
  }
}

/** The objects of a list in a UTF-8 JSON document. `names`: the members that may contain the list. */
export async function* jsonRecords(
  source: AsyncIterable<Buffer>,
  names: ReadonlyArray<string>
): AsyncGenerator<ReadonlyArray<Read>> {
  const scanner = new ListScanner(names)
  let found = 0
  for await (const chunk of source) {
    const records = scanner.push(chunk)
    found += records.length
    yield records
  }
  if (!scanner.isWhole) throw failed(`The JSON is incomplete: it ends after ${count(found, "complete user")}.`)
  if (!scanner.hasList) {
    throw failed(`The JSON contains no list of users: it is not a list and has none in ${names.join(" or ")}.`)
  }
}
