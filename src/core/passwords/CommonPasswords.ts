import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import { Context, Effect, Layer } from "effect"
import { canonical } from "#domain/Text"

// The file is next to this module, in the bundle too. For its origin, see ADR-0011.
const bundledList = new URL("./CommonPasswords.br", import.meta.url)
const sha256 = "ff848171df324daa6e295dbd80f8b77efb587cb92e7c6c132fba3a28cb7ae4cc"
const newline = 10

/** Checks passwords against a list of the 100,000 most common ones, which users can't choose (C23, SEC-02). */
export class CommonPasswords extends Context.Service<
  CommonPasswords,
  {
    /** Returns whether the canonical form of a password is on the list. The first call reads the list, off the main thread. */
    readonly includes: (password: string) => Effect.Effect<boolean>
  }
>()("sallyport/core/CommonPasswords") {
  /** Reads the list from a file. Calls die if the file is missing or its checksum is wrong. */
  static readonly layerFrom = (file: URL) =>
    Layer.sync(CommonPasswords, () => {
      let reading: Promise<Buffer> | undefined
      const lines = () => {
        reading ??= read(file).catch((error: unknown) => {
          // Let the next call try again.
          reading = undefined
          throw error
        })
        return reading
      }
      return CommonPasswords.of({
        includes: (password) =>
          Effect.map(Effect.promise(lines), (lines) => isLineOf(lines, Buffer.from(canonical(password))))
      })
    })

  static readonly layer = CommonPasswords.layerFrom(bundledList)
}

const read = async (file: URL): Promise<Buffer> => {
  const packed = await readFile(file).catch((cause: unknown) => {
    throw new Error(`The list of common passwords cannot be read: ${fileURLToPath(file)}.`, { cause })
  })
  // Brotli files have no checksum of their own.
  if (createHash("sha256").update(packed).digest("hex") !== sha256) {
    throw new Error(`The list of common passwords is damaged: ${fileURLToPath(file)}.`)
  }
  // One chunk is large enough for the whole list. By default there would be 48 chunks, each of which takes time on the main
  // thread.
  return promisify(brotliDecompress)(packed, { chunkSize: 800_000 })
}

/** Finds a line by binary search. The lines must be sorted bytewise and end with newlines. */
const isLineOf = (lines: Buffer, line: Buffer): boolean => {
  // `low` and `high` always point to the start of a line, or to the end of the buffer.
  let low = 0
  let high = lines.length
  while (low < high) {
    let start = (low + high) >>> 1
    while (start > low && lines[start - 1] !== newline) start -= 1
    const end = lines.indexOf(newline, start)
    const order = line.compare(lines, start, end)
    if (order === 0) return true
    if (order < 0) high = start
    else low = end + 1
  }
  return false
}
