/** The CBOR values that authenticators use (RFC 8949): integers, texts, bytes, and maps in the order of their entries. */
export type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

/** The first bytes of an item: its major type, and its value or length, which is below 2^32. */
const head = (major: number, value: number): Buffer => {
  const type = major << 5
  if (value < 24) return Buffer.of(type | value)
  if (value < 0x100) return Buffer.of(type | 24, value)
  if (value < 0x10000) return Buffer.of(type | 25, value >> 8, value & 0xff)
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(type | 26)
  bytes.writeUInt32BE(value, 1)
  return bytes
}

export const encodeCbor = (item: Cbor): Buffer => {
  if (typeof item === "number") return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === "string") return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (item instanceof Uint8Array) return Buffer.concat([head(2, item.length), item])
  const entries = [...item].flatMap(([key, value]) => [encodeCbor(key), encodeCbor(value)])
  return Buffer.concat([head(5, item.size), ...entries])
}
