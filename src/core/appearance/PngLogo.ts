import { crc32 } from "node:zlib"

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex")

/** The largest width and height of a logo, in pixels. */
export const MAX_PIXELS = 4_096

/** The parts of a file that make the image; texts, times, colors profiles and whatever else may be in it are left out. */
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
  /** The chunk as it stands in the file. */
  readonly whole: Buffer
}

/** The chunks of a file, up to `IEND`; what follows that belongs to no image. Undefined: they are damaged. */
const chunksOf = (file: Buffer): ReadonlyArray<Chunk> | undefined => {
  const chunks: Array<Chunk> = []
  for (let place = SIGNATURE.length; place + 12 <= file.length; ) {
    const length = file.readUInt32BE(place)
    const end = place + 12 + length
    if (end > file.length) return undefined
    const named = file.subarray(place + 4, end - 4)
    if (crc32(named) !== file.readUInt32BE(end - 4)) return undefined
    const type = named.toString("latin1", 0, 4)
    chunks.push({ type, data: named.subarray(4), whole: file.subarray(place, end) })
    if (type === "IEND") return chunks
    place = end
  }
  return undefined
}

const isHeader = ({ type, data }: Chunk): boolean =>
  type === "IHDR" && data.length === 13 && bitDepths[data.readUInt8(9)]?.includes(data.readUInt8(8)) === true

/** Whether the image has a color palette where it needs one, its pixels, and nothing that would have to be understood. */
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
 * A PNG image with nothing in it but the image, or why it is none: what a file can carry besides, such as a page or a script behind its
 * end, is left out (SEC-138).
 */
export const readPng = (file: Buffer): Buffer | "logo_broken" | "logo_dimensions" => {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return "logo_broken"
  const chunks = chunksOf(file) ?? []
  const [header] = chunks
  if (header === undefined || !isHeader(header) || !isComplete(chunks, header)) return "logo_broken"
  const sides = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  if (sides.includes(0)) return "logo_broken"
  if (sides.some((pixels) => pixels > MAX_PIXELS)) return "logo_dimensions"
  return Buffer.concat([SIGNATURE, ...chunks.filter(({ type }) => keptChunks.has(type)).map(({ whole }) => whole)])
}
