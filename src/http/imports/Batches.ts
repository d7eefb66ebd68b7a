import { Stream } from "effect"
import { type Line, LineReader } from "./LineReader.ts"

/** The maximum number of lines in one transaction, and of their bytes. */
const LINES = 400
const BYTES = 1024 * 1024

/** The lines collected so far for the next batch. */
interface PendingBatch {
  readonly reader: LineReader
  lines: Array<Line>
  bytes: number
}

const addLines = (state: PendingBatch, lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  const full: Array<ReadonlyArray<Line>> = []
  for (const line of lines) {
    state.lines.push(line)
    state.bytes += line.bytes
    if (state.lines.length < LINES && state.bytes < BYTES) continue
    full.push(state.lines)
    state.lines = []
    state.bytes = 0
  }
  return full
}

/** Marks the end of a body that was sent completely. */
const END = Symbol("end")

/**
 * Groups the lines of a body into batches of limited size. The last line needs no newline. If the body is cut off, its
 * incomplete last line is dropped.
 */
export const batchesOf = <E, R>(body: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<Line>, E, R> =>
  Stream.mapAccum(
    Stream.concat<Uint8Array, E, R, typeof END, never, never>(body, Stream.succeed(END)),
    (): PendingBatch => ({ reader: new LineReader(), lines: [], bytes: 0 }),
    (state, part) => [state, addLines(state, part === END ? state.reader.end() : state.reader.push(part))] as const,
    { onHalt: ({ lines }) => (lines.length === 0 ? [] : [lines]) }
  )
