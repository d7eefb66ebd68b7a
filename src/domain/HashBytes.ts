const crypt64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const bcrypt64 = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** A pattern for unpadded base64. The unused bits of the last digit must be zero, so most truncated strings don't match. */
export const unpaddedBase64 = (digit = "[A-Za-z0-9+/]"): string =>
  `((?:${digit}{4})*(?:${digit}[AQgw]|${digit}{2}[AEIMQUYcgkosw048])?)`

/** A pattern for padded base64. */
export const paddedBase64 = (digit = "[A-Za-z0-9+/]"): string =>
  `((?:${digit}{4})*(?:${digit}[AQgw]==|${digit}{2}[AEIMQUYcgkosw048]=)?)`

/** Decodes base64 that has already matched a pattern: standard, passlib's variant (`.`) or base64url. */
export const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll(/[.-]/g, "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))

/** Decodes bcrypt's base64. */
export const decodeBcryptBase64 = (text: string): Uint8Array =>
  decodeBase64(Array.from(text, (char) => base64.charAt(bcrypt64.indexOf(char))).join(""))

/** The value of a phpass digit, 0 to 63. */
export const phpassDigitValue = (char: string): number => crypt64.indexOf(char)

/** Decodes the 16 bytes of a phpass digest, which encodes one number with the lowest digit first. */
export const decodePhpassDigest = (text: string): Uint8Array => {
  const value = Array.from(text).reduceRight((high, char) => high * 64n + BigInt(phpassDigitValue(char)), 0n)
  return Uint8Array.from({ length: 16 }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))
}

/** The UTF-8 bytes of a salt given as text. */
export const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
