import { hash, timingSafeEqual } from "node:crypto"
import type { Entropy } from "./Entropy.ts"

const alphabet = Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

/** The bytes as one number in base62, of a length that depends on their count alone (32 bytes: 43 characters). */
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

/** A fresh secret with all the entropy of `bytes` random bytes, in base62 (SEC-28). */
export const secretText = (entropy: Entropy["Service"], bytes = 32): string => base62(entropy.bytes(bytes))

/** What is stored of a secret that is only ever compared or looked up (decisions 1 and 25): 32 bytes. */
export const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer")

/** The same digest as text, to look it up in memory. */
export const sha256Text = (text: string): string => hash("sha256", text, "base64")

/** Whether two digests are equal, in a time that does not tell where they differ. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
