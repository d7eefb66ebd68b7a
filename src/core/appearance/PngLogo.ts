import { crc32 } from "node:zlib"

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex")

/** The maximum width and height of a logo, in pixels. */
export const MAX_PIXELS = 4_096

/** The chunks that make up the image. All other chunks, such as texts, times and color profiles, are removed. */
const keptChunks: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT", "IEND"])

/** The bit depths of each color type. */
const bitDepths: Readonly<Record<number, ReadonlyArray<number>>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16]
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** The bytes of the whole chunk, including its length, type and checksum. */
  readonly bytes: Buffer
}

/** Returns the chunks of a file up to `IEND`, or undefined if a chunk is damaged. Ignores bytes after `IEND`. */
const chunksOf = (file: Buffer): ReadonlyArray<Chunk> | undefined => {
  const chunks: Array<Chunk> = []
  for (let place = SIGNATURE.length; place + 12 <= file.length; ) {
    const length = file.readUInt32BE(place)
    const end = place + 12 + length
    if (end > file.length) return undefined
    const named = file.subarray(place + 4, end - 4)
    if (crc32(named) !== file.readUInt32BE(end - 4)) return undefined
    const type = named.toString("latin1", 0, 4)
    chunks.push({ type, data: named.subarray(4), bytes: file.subarray(place, end) })
    if (type === "IEND") return chunks
    place = end
  }
  return undefined
}

const isHeader = ({ type, data }: Chunk): boolean =>
  type === "IHDR" && data.length === 13 && bitDepths[data.readUInt8(9)]?.includes(data.readUInt8(8)) === true

/** Returns whether the image has pixels, a palette if its color type needs one, and no unknown critical chunks. */
const isComplete = (chunks: ReadonlyArray<Chunk>, header: Chunk): boolean => {
  const types = chunks.map(({ type }) => type)
  const isUnknown = (type: string) => /^[A-Z]/.test(type) && !keptChunks.has(type)
  const needsPalette = header.data.readUInt8(9) === 3
  return (
    types.includes("IDAT") &&
    !types.some(isUnknown) &&
    types.filter((type) => type === "IHDR").length === 1 &&
    (!needsPalette || types.includes("PLTE"))
  )
}

/**
 * Reads a PNG file. Returns only the image, without any other content of the file, such as a script appended to it (SEC-138).
 * Returns a problem code if the file is not a valid image.
 */
export const readPng = (file: Buffer): Buffer | "logo_broken" | "logo_dimensions" => {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return "logo_broken"
  const chunks = chunksOf(file) ?? []
  const [header] = chunks
  if (header === undefined || !isHeader(header) || !isComplete(chunks, header)) return "logo_broken"
  const sides = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  if (sides.includes(0)) return "logo_broken"
  if (sides.some((pixels) => pixels > MAX_PIXELS)) return "logo_dimensions"
  return Buffer.concat([SIGNATURE, ...chunks.filter(({ type }) => keptChunks.has(type)).map(({ bytes }) => bytes)])
}
