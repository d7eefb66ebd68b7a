import { X509Certificate } from "node:crypto"
import { Result } from "effect"
import { decodeBase64 } from "./Base64.ts"

/** A certificate whose key verifies an identity provider's signatures. The key is pinned: who issued the certificate doesn't matter. */
export interface SigningCertificate {
  /** The certificate in DER, as base64 without line breaks. */
  readonly base64: string
  /** The SHA-256 digest in lower-case hexadecimal, which providers show as the thumbprint or fingerprint. */
  readonly fingerprint: string
  readonly notBefore: number
  readonly notAfter: number
}

/** Why a certificate can't be used. `weak_certificate`: its key has fewer than 2,048 bits. `unsupported_key`: it isn't an RSA key. */
export type CertificateProblem = "certificate_form" | "unsupported_key" | "weak_certificate"

const MIN_BITS = 2_048
const MAX_BITS = 8_192
const MAX_LENGTH = 16_384
const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z\d+/=\s]+)-----END CERTIFICATE-----$/

const parse = (der: Buffer): X509Certificate | undefined => {
  try {
    const certificate = new X509Certificate(der)
    // Trailing bytes would give one certificate several fingerprints.
    return certificate.raw.equals(der) ? certificate : undefined
  } catch {
    return undefined
  }
}

/** Reads a certificate in PEM, or in base64 as metadata contains it. An expired certificate is not a problem here. */
export const readCertificate = (text: string): Result.Result<SigningCertificate, CertificateProblem> => {
  if (text.length > MAX_LENGTH) return Result.fail("certificate_form")
  const [, encoded = text] = PEM.exec(text.trim()) ?? []
  const der = decodeBase64(encoded)
  const certificate = der === undefined ? undefined : parse(der)
  if (certificate === undefined) return Result.fail("certificate_form")
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = certificate.publicKey
  if (type !== "rsa" || modulusLength > MAX_BITS) return Result.fail("unsupported_key")
  if (modulusLength < MIN_BITS) return Result.fail("weak_certificate")
  return Result.succeed({
    base64: certificate.raw.toString("base64"),
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime()
  })
}

/** Why a certificate doesn't fit the time. Its key still verifies signatures, since it is pinned. */
export type ValidityWarning = "certificate_expired" | "certificate_not_yet_valid"

/** Returns what to warn an administrator of at a time in Unix milliseconds. */
export const validityWarning = (
  { notBefore, notAfter }: SigningCertificate,
  now: number
): ValidityWarning | undefined => {
  if (notAfter <= now) return "certificate_expired"
  return notBefore > now ? "certificate_not_yet_valid" : undefined
}

/** A certificate as PEM, for Node's functions. */
export const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`
