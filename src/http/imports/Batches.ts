import { Stream } from "effect"
import { type Line, LineReader } from "./LineReader.ts"

/** How many lines, and how many bytes of them, are written in one transaction. */
const LINES = 400
const BYTES = 1024 * 1024

/** Lines until there are enough for a batch. */
interface Gathering {
  readonly reader: LineReader
  lines: Array<Line>
  bytes: number
}

const gather = (state: Gathering, lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
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

/** The lines of a body in batches of bounded size. */
export const batchesOf = <E, R>(body: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<Line>, E, R> =>
  Stream.mapAccum(
    body,
    (): Gathering => ({ reader: new LineReader(), lines: [], bytes: 0 }),
    (state, chunk) => [state, gather(state, state.reader.push(chunk))] as const,
    {
      onHalt: (state) => {
        const full = gather(state, state.reader.end())
        return state.lines.length === 0 ? full : [...full, state.lines]
      }
    }
  )
