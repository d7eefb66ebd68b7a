import { createPrivateKey, createPublicKey, sign } from "node:crypto"

/** What a self-signed certificate says. */
export interface CertificateOptions {
  /** An RSA private key in PEM. */
  readonly privateKey: string
  /** The common name of the subject, which is also the issuer. */
  readonly name: string
  /** Random bytes. */
  readonly serialNumber: Uint8Array
  /** Unix milliseconds. Certificates have whole seconds. */
  readonly notBefore: number
  readonly notAfter: number
}

const lengthOf = (length: number): ReadonlyArray<number> => {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

/** Encodes a value in DER: tag, length, content. All values of a certificate are shorter than 64 KiB. */
const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

const sequence = (...contents: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...contents)

const bytes = (hexadecimal: string): Buffer => Buffer.from(hexadecimal, "hex")

// OBJECT IDENTIFIERs, encoded.
const SHA256_WITH_RSA = sequence(bytes("06092a864886f70d01010b"), bytes("0500"))
const COMMON_NAME = bytes("0603550403")
const KEY_USAGE = bytes("0603551d0f")

const TRUE = bytes("0101ff")
const VERSION_3 = bytes("a003020102")

/** The bits for digital signatures and for the encryption of keys. */
const SIGNING_AND_ENCRYPTION = bytes("030205a0")

/** RFC 5280 §4.1.2.5: years from 2050 on have four digits. */
const timeOf = (millis: number): Buffer => {
  const digits = `${new Date(millis).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`
  return digits < "2050" ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

/**
 * Returns a certificate (X.509 v3) that a key signs for itself, in DER as base64. Parties that pin it, as in SAML, only use its key
 * and its validity.
 */
export const selfSignedCertificate = (options: CertificateOptions): string => {
  const privateKey = createPrivateKey(options.privateKey)
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(options.name)))))
  // The first byte makes the number positive, and its length minimal.
  const serialNumber = der(0x02, bytes("01"), options.serialNumber)
  const extensions = der(0xa3, sequence(sequence(KEY_USAGE, TRUE, der(0x04, SIGNING_AND_ENCRYPTION))))
  const signed = sequence(
    VERSION_3,
    serialNumber,
    SHA256_WITH_RSA,
    name,
    sequence(timeOf(options.notBefore), timeOf(options.notAfter)),
    name,
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
    extensions
  )
  const signature = der(0x03, bytes("00"), sign("sha256", signed, privateKey))
  return sequence(signed, SHA256_WITH_RSA, signature).toString("base64")
}
