import { crc32, deflateSync } from "node:zlib"

/** A chunk of a PNG file. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG file, by default of one pixel. `more` contains chunks between the header and the pixels. */
export const png = ({
  width = 1,
  height = 1,
  depth = 8,
  type = 6,
  more = []
}: {
  readonly width?: number
  readonly height?: number
  readonly depth?: number
  readonly type?: number
  readonly more?: ReadonlyArray<Buffer>
} = {}): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type], 8)
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...more,
    chunk("IDAT", deflateSync(Buffer.from([0, 11, 61, 145, 255]))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** An image in the form that callers send. */
export const dataUrl = (type: "png" | "svg+xml", file: Buffer | string): string =>
  `data:image/${type};base64,${Buffer.from(file).toString("base64")}`

/** An SVG logo. */
export const SVG_LOGO =
  '<svg viewBox="0 0 40 10" xmlns="http://www.w3.org/2000/svg"><path fill="#0b3d91" d="M0 0h40v10H0z"></path></svg>'
