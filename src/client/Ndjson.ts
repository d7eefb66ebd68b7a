import { ConnectionFailed } from "./Errors.ts"
import type { BodyReader } from "./Fetch.ts"

const encoder = new TextEncoder()

/** The approximate size of a chunk, in characters. */
const CHUNK = 16_384

/** A request body made from rows: one JSON object per line. */
export class RowsBody {
  readonly stream: ReadableStream<Uint8Array>
  private readonly iterator: AsyncIterator<object> | Iterator<object>

  constructor(rows: AsyncIterable<object> | Iterable<object>) {
    this.iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
    this.stream = new ReadableStream<Uint8Array>({ pull: (controller) => this.pull(controller) })
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let chunk = ""
    while (chunk.length < CHUNK) {
      const { done, value } = await this.iterator.next()
      if (done === true) {
        if (chunk !== "") controller.enqueue(encoder.encode(chunk))
        controller.close()
        return
      }
      chunk += `${JSON.stringify(value)}\n`
    }
    controller.enqueue(encoder.encode(chunk))
  }

  /** Closes the source. Platforms don't do that when a request is aborted. */
  end(): void {
    Promise.resolve(this.iterator.return?.()).catch(() => undefined)
  }
}

/** Yields the lines of a body as they arrive. If the last line has no newline, the body was cut off. */
export async function* linesOf(route: string, reader: BodyReader): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ""
  let isAtEnd = false
  try {
    while (!isAtEnd) {
      const { done, value } = await reader.read()
      isAtEnd = done
      const lines = (rest + (value === undefined ? decoder.decode() : decoder.decode(value, { stream: true }))).split(
        "\n"
      )
      rest = lines.pop() ?? ""
      for (const line of lines) if (line.trim() !== "") yield line
    }
    if (rest.trim() !== "") throw new ConnectionFailed({ route, message: "The response ends in the middle of a line." })
  } finally {
    if (!isAtEnd) await reader.cancel().catch(() => undefined)
  }
}
