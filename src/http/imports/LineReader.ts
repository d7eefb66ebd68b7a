/** The maximum length of a line, in bytes. */
export const LINE_BYTES = 1024 * 1024

/** Why a line can't be read. */
export type UnreadableLine = "line_too_long" | "line_not_utf8"

/** A line of a body, or the reason why its text can't be read. Empty lines are skipped, but they count for line numbers. */
export interface Line {
  readonly number: number
  readonly text: string | null
  readonly unreadable?: UnreadableLine
  readonly bytes: number
}

const NEWLINE = 10

/** Splits a body into lines as it arrives, buffering at most one line. */
export class LineReader {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true })
  #parts: Array<Uint8Array> = []
  #bytes = 0
  #number = 0

  /** Adds a chunk and returns the lines that it completes. */
  push(chunk: Uint8Array): ReadonlyArray<Line> {
    const lines: Array<Line> = []
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end))
      lines.push(...this.end())
      from = end + 1
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  /** Returns the unfinished last line after the end of the body. */
  end(): ReadonlyArray<Line> {
    const [parts, bytes] = [this.#parts, this.#bytes]
    this.#parts = []
    this.#bytes = 0
    this.#number += 1
    if (bytes > LINE_BYTES) return [{ number: this.#number, text: null, unreadable: "line_too_long", bytes: 0 }]
    const text = this.#textOf(parts)
    if (text === null) return [{ number: this.#number, text, unreadable: "line_not_utf8", bytes }]
    return text.trim() === "" ? [] : [{ number: this.#number, text, bytes }]
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > LINE_BYTES) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #textOf(parts: ReadonlyArray<Uint8Array>): string | null {
    try {
      return this.#utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    } catch {
      return null
    }
  }
}
