/** The encodings that a text may be in, by the names that people give them. */
export const textEncodingNames = ["utf-8", "latin1", "utf-16"] as const

export type TextEncoding = (typeof textEncodingNames)[number]

const labels: Readonly<Record<TextEncoding, string>> = {
  "utf-8": "utf-8",
  latin1: "windows-1252",
  "utf-16": "utf-16le"
}

/** Stands in a text for bytes that are not of its encoding. */
const REPLACEMENT = "\ufffd"

/** Whether some bytes of a text could not be read. */
export const isGarbled = (text: string): boolean => text.includes(REPLACEMENT)

/** The bytes of a text as UTF-8. Bytes that are not of the encoding become U+FFFD. */
export async function* asUtf8(source: AsyncIterable<Buffer>, encoding: TextEncoding): AsyncGenerator<Buffer> {
  let isFirst = true
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const chunk of source) {
    if (isFirst) {
      isFirst = false
      const isWide = chunk[0] === 0xff && chunk[1] === 0xfe
      const name = isWide ? "utf-16le" : labels[encoding]
      if (name !== "utf-8") decoder = new TextDecoder(name)
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  const rest = decoder?.decode() ?? ""
  if (rest !== "") yield Buffer.from(rest)
}
