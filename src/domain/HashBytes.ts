const crypt64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const bcrypt64 = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** A pattern for base64 without padding. The last digit has no bits but the last byte's: most cut texts do not match. */
export const unpadded = (digit = "[A-Za-z0-9+/]"): string =>
  `((?:${digit}{4})*(?:${digit}[AQgw]|${digit}{2}[AEIMQUYcgkosw048])?)`

/** A pattern for base64 with its padding. */
export const padded = (digit = "[A-Za-z0-9+/]"): string =>
  `((?:${digit}{4})*(?:${digit}[AQgw]==|${digit}{2}[AEIMQUYcgkosw048]=)?)`

/** The bytes of base64 that a pattern let pass, in the standard alphabet, passlib's (`.`) or the one for URLs. */
export const bytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll(/[.-]/g, "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))

/** The bytes of bcrypt's base64. */
export const bcryptBytes = (text: string): Uint8Array =>
  bytes(Array.from(text, (char) => base64.charAt(bcrypt64.indexOf(char))).join(""))

/** What a digit of phpass stands for, 0 to 63. */
export const phpassDigit = (char: string): number => crypt64.indexOf(char)

/** The 16 bytes of a digest of phpass: one number, the lowest digit first. */
export const phpassBytes = (text: string): Uint8Array => {
  const value = Array.from(text).reduceRight((high, char) => high * 64n + BigInt(phpassDigit(char)), 0n)
  return Uint8Array.from({ length: 16 }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))
}

/** The bytes of a salt that is text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
