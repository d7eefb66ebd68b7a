/** A DER-encoded ASN.1 element. `tag` is its identifier octets, in hexadecimal. */
export interface Der {
  readonly tag: string
  readonly content: Uint8Array
}

const atOrThrow = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at]
  if (byte === undefined) throw new RangeError("DER ends too early.")
  return byte
}

const LONG_TAG = 0x1f
const CONTINUES = 0x80

/** Parses a sequence of DER elements. Throws if they are malformed. */
export const readDer = (bytes: Uint8Array): ReadonlyArray<Der> => {
  const elements: Array<Der> = []
  let at = 0
  while (at < bytes.length) {
    const begins = at
    const isLong = (atOrThrow(bytes, at++) & LONG_TAG) === LONG_TAG
    while (isLong && (atOrThrow(bytes, at++) & CONTINUES) !== 0);
    const tag = Buffer.from(bytes.subarray(begins, at)).toString("hex")
    let length = atOrThrow(bytes, at++)
    if (length >= CONTINUES) {
      const octets = length - CONTINUES
      length = 0
      for (let n = 0; n < octets; n++) length = length * 256 + atOrThrow(bytes, at++)
    }
    if (at + length > bytes.length) throw new RangeError("DER ends too early.")
    elements.push({ tag, content: bytes.subarray(at, at + length) })
    at += length
  }
  return elements
}

/** Parses the contents of the first element with this tag. Returns an empty list if no element has it. */
export const childrenOf = (elements: ReadonlyArray<Der>, tag: string): ReadonlyArray<Der> => {
  const found = elements.find((one) => one.tag === tag)
  return found === undefined ? [] : readDer(found.content)
}
