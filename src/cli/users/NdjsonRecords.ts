import { parseJson } from "#domain/ExactJson"
import { jsonFault } from "#domain/JsonFault"
import { messageOf } from "./Messages.ts"
import type { Read } from "./Row.ts"
import { utf8Of } from "./TextEncodings.ts"
import { isObject } from "./Values.ts"

/** The maximum length of a line, in bytes, as limited by the service. */
export const LINE_BYTES = 1024 * 1024

const NEWLINE = 10

/** Reads a line. Returns undefined if it is blank. */
const readLine = (bytes: Buffer, isTooLong: boolean, line: number): Read | undefined => {
  if (isTooLong) return { line, error: messageOf("line_too_long") }
  const text = utf8Of(bytes)
  if (text === undefined) return { line, error: messageOf("line_not_utf8") }
  if (text.trim() === "") return undefined
  return { line, ...recordOf(text) }
}

/** Parses a JSON object. If the text isn't one, describes the error. */
export const recordOf = (text: string) => {
  try {
    const value = parseJson(text)
    if (isObject(value)) return { record: value }
    return { error: messageOf(Array.isArray(value) ? "rows_in_list" : "row_not_object") }
  } catch {
    const fault = jsonFault(text)
    if (fault.kind === "unexpected") {
      return { error: messageOf("malformed_row", fault.position === undefined ? {} : { position: fault.position }) }
    }
    return { error: messageOf(text.trimStart().startsWith("[") ? "rows_in_list" : "unfinished_row") }
  }
}

/** Yields the objects of a UTF-8 text with one object per line. Holds at most one line in memory. */
export async function* ndjsonRecords(source: AsyncIterable<Buffer>): AsyncGenerator<ReadonlyArray<Read>> {
  let parts: Array<Buffer> = []
  let length = 0
  let line = 0
  const append = (part: Buffer) => {
    length += part.length
    if (length > LINE_BYTES) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const take = (): ReadonlyArray<Read> => {
    line += 1
    const [first] = parts
    const whole = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
    const found = readLine(whole, length > LINE_BYTES, line)
    parts = []
    length = 0
    return found === undefined ? [] : [found]
  }
  for await (const chunk of source) {
    const found: Array<Read> = []
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, end))
      found.push(...take())
      from = end + 1
    }
    append(chunk.subarray(from))
    yield found
  }
  if (length > 0) yield take()
}
