import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { CommandFailed } from "../CommandFailed.ts"

/** The bytes of an input, decompressed if necessary. */
export interface Input {
  /** The name of the input in messages. */
  readonly name: string
  /** The path of the file, or undefined for stdin, which can be read only once. */
  readonly path: string | undefined
  /** The size in bytes, or undefined if unknown. */
  readonly size: number | undefined
  /** Returns how many bytes of the file have been read. */
  readonly read: () => number
  readonly bytes: AsyncIterable<Buffer>
}

const isPacked = ([first, second]: Buffer): boolean => first === 0x1f && second === 0x8b

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "The file doesn't exist.",
  EACCES: "You don't have permission to read it.",
  EISDIR: "It is a folder.",
  Z_BUF_ERROR: "It is incomplete: the compressed data ends too early.",
  Z_DATA_ERROR: "Its compressed data is damaged."
}

/** Advice about read errors that the file's content didn't cause. */
const todos: Readonly<Record<string, string>> = {
  ENOENT: "Check the name and the folder.",
  EACCES: "Run the command as a user with permission to read it.",
  EISDIR: "Choose a file in it."
}

const unreadable = (name: string, error: unknown): CommandFailed => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const why = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  return new CommandFailed({
    happened: `Can't read ${name}. ${why}`,
    todo: todos[code] ?? "Run the command again with a complete file."
  })
}

async function* counted(source: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    count(chunk.length)
    yield chunk
  }
}

/** Decompresses gzip input. Passes other input through unchanged. */
async function* unpacked(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await source.next()
  if (first.done === true) return
  async function* all() {
    yield first.value
    yield* source
  }
  if (!isPacked(first.value)) {
    yield* all()
    return
  }
  const gunzip = createGunzip()
  const feeding = (async () => {
    try {
      for await (const chunk of all()) {
        if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once("drain", resolve).once("close", resolve))
        if (gunzip.destroyed) return
      }
      gunzip.end()
    } catch (error) {
      gunzip.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })()
  try {
    yield* gunzip
  } finally {
    gunzip.destroy()
    await feeding
  }
}

async function* withReadErrors(name: string, source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    throw unreadable(name, error)
  }
}

const inputOf = (name: string, source: AsyncIterable<Buffer>, { path, size }: Pick<Input, "path" | "size">): Input => {
  let read = 0
  const bytes = unpacked(
    counted(source, (more) => {
      read += more
    })
  )
  return { name, path, size, read: () => read, bytes: withReadErrors(name, bytes) }
}

/** Opens a file. */
export const openFile = async (path: string): Promise<Input> => {
  try {
    const facts = await stat(path)
    const size = facts.isFile() ? facts.size : undefined
    return inputOf(path, createReadStream(path, { highWaterMark: 256 * 1024 }), { path, size })
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Reads from stdin. */
export const openStream = (source: AsyncIterable<Buffer>): Input =>
  inputOf("The standard input", source, { path: undefined, size: undefined })
