import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import { Context, Effect, Layer } from "effect"
import { canonical } from "#domain/Text"

// Beside this module, also when it is bundled. Where it comes from: docs/decisions/0011-common-passwords.md.
const shipped = new URL("./CommonPasswords.br", import.meta.url)
const sha256 = "ff848171df324daa6e295dbd80f8b77efb587cb92e7c6c132fba3a28cb7ae4cc"
const newline = 10

/** The 100,000 commonest passwords, which nobody may choose (decision 23, SEC-02). */
export class CommonPasswords extends Context.Service<
  CommonPasswords,
  {
    /** Whether the password is one of them in its canonical form. The first question reads the list, off this thread. */
    readonly includes: (password: string) => Effect.Effect<boolean>
  }
>()("sallyport/core/CommonPasswords") {
  /** The list in this file; a question to a file that is missing or another one dies. */
  static readonly layerFrom = (file: URL) =>
    Layer.sync(CommonPasswords, () => {
      let reading: Promise<Buffer> | undefined
      const lines = () => {
        reading ??= read(file).catch((error: unknown) => {
          // The next question tries again.
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

  static readonly layer = CommonPasswords.layerFrom(shipped)
}

const read = async (file: URL): Promise<Buffer> => {
  const packed = await readFile(file).catch((cause: unknown) => {
    throw new Error(`The list of common passwords cannot be read: ${fileURLToPath(file)}.`, { cause })
  })
  // Brotli has no checksum of its own.
  if (createHash("sha256").update(packed).digest("hex") !== sha256) {
    throw new Error(`The list of common passwords is damaged: ${fileURLToPath(file)}.`)
  }
  // Room for all of it, or it comes in 48 pieces that each take this thread a moment.
  return promisify(brotliDecompress)(packed, { chunkSize: 800_000 })
}

/** Whether these lines, sorted bytewise and each ended by a newline, hold this one. */
const isLineOf = (lines: Buffer, line: Buffer): boolean => {
  // Both always at the start of a line, or at the end of them all.
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
