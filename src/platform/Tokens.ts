import { hash, timingSafeEqual } from "node:crypto"
import type { Entropy } from "./Entropy.ts"

const alphabet = Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

/** Encodes bytes in base62. The length of the result depends only on the number of bytes: 32 bytes give 43 characters. */
export const base62 = (bytes: Uint8Array): string => {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  let rest = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`)
  return Array.from({ length }, () => {
    const digit = alphabet[Number(rest % 62n)]
    rest /= 62n
    return digit
  })
    .reverse()
    .join("")
}

/** A random secret with `bytes` bytes of entropy, in base62 (SEC-28). */
export const randomSecret = (entropy: Entropy["Service"], bytes = 32): string => base62(entropy.bytes(bytes))

/** The SHA-256 digest of a secret that only needs to be compared or looked up (C1, C25). It has 32 bytes. */
export const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer")

/** The SHA-256 digest in base64, for lookups in memory. */
export const sha256Text = (text: string): string => hash("sha256", text, "base64")

/** Compares two digests in constant time. */
export const constantTimeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
