/** The supported input encodings. */
export const textEncodingNames = ["utf-8", "latin1", "utf-16"] as const

export type TextEncoding = (typeof textEncodingNames)[number]

/** The character that replaces invalid bytes when decoding. It may also occur in a valid text. */
const REPLACEMENT = "\ufffd"

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. Returns undefined if the bytes are invalid. */
export const utf8Of = (bytes: Buffer): string | undefined => {
  const text = bytes.toString()
  if (!text.includes(REPLACEMENT)) return text
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** A byte that never occurs in UTF-8. It marks invalid input, so that its row is rejected. */
const WRONG_BYTE = Buffer.from([0xff])

async function* fromUtf16(source: AsyncIterable<Buffer>, isBigEndian: boolean): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of source) {
    const all = Buffer.concat([rest, chunk])
    let end = all.length - (all.length % 2)
    const last = end === 0 ? 0 : isBigEndian ? all.readUInt16BE(end - 2) : all.readUInt16LE(end - 2)
    // The other half of the surrogate pair is in the next chunk.
    if (last >= 0xd800 && last < 0xdc00) end -= 2
    rest = all.subarray(end)
    const units = Buffer.from(all.subarray(0, end))
    const text = (isBigEndian ? units.swap16() : units).toString("utf16le")
    for (const [index, part] of text.split(/\p{Surrogate}/u).entries()) {
      if (index > 0) yield WRONG_BYTE
      if (part !== "") yield Buffer.from(part)
    }
  }
  if (rest.length > 0) yield WRONG_BYTE
}

async function* fromLatin1(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder("windows-1252")
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

/** Ensures that the first two bytes are in one chunk. */
async function* joined(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of source) {
    if (first === undefined) yield chunk
    else if (first.length + chunk.length < 2) first = Buffer.concat([first, chunk])
    else {
      yield Buffer.concat([first, chunk])
      first = undefined
    }
  }
  if (first !== undefined) yield first
}

const decoded = (source: AsyncIterable<Buffer>, start: Buffer, encoding: TextEncoding): AsyncIterable<Buffer> => {
  const [one, two] = start
  if (one === 0xff && two === 0xfe) return fromUtf16(source, false)
  if (one === 0xfe && two === 0xff) return fromUtf16(source, true)
  // Without a byte order mark, the first character of a file of users is ASCII.
  if (encoding === "utf-16") return fromUtf16(source, one === 0)
  return encoding === "latin1" ? fromLatin1(source) : source
}

/** Converts a text to UTF-8 without a byte order mark. Bytes that are invalid in the given encoding become invalid UTF-8. */
export async function* asUtf8(source: AsyncIterable<Buffer>, encoding: TextEncoding): AsyncGenerator<Buffer> {
  const chunks = joined(source)
  const first = await chunks.next()
  if (first.done === true) return
  async function* all() {
    yield first.value
    yield* chunks
  }
  let isFirst = true
  for await (const chunk of decoded(all(), first.value, encoding)) {
    yield isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk
    isFirst = false
  }
}
