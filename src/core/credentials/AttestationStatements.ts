import { X509Certificate } from "node:crypto"
import type { PasskeyRules } from "#domain/Passkey"

/** An attestation object (WebAuthn Level 3). `members` are the members of its statement, not yet validated. */
export interface AttestationObject {
  readonly authData: Uint8Array
  readonly members: ReadonlyMap<unknown, unknown>
}

/** An attestation statement, reduced to the members used here. */
export interface AttestationStatement {
  readonly format: string
  /** The certificates in the statement, as DER, starting with the authenticator's; undefined if the statement has none. */
  readonly certificates: ReadonlyArray<Uint8Array> | undefined
  /** The signature, or undefined if the statement has none. */
  readonly signature: Uint8Array | undefined
  readonly algorithm: number | undefined
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

const isText = (value: unknown): value is string => typeof value === "string"

const isNumber = (value: unknown): value is number => typeof value === "number"

const isCertificates = (value: unknown): value is ReadonlyArray<Uint8Array> =>
  Array.isArray(value) && value.every(isBytes)

const isMap = (value: unknown): value is ReadonlyMap<unknown, unknown> => value instanceof Map

const required = <A>(value: unknown, isOne: (value: unknown) => value is A): A => {
  if (isOne(value)) return value
  throw new TypeError("A member is missing or has the wrong type.")
}

const optional = <A>(value: unknown, isOne: (value: unknown) => value is A): A | undefined =>
  value === undefined ? undefined : required(value, isOne)

/**
 * Reads a decoded attestation object. Throws if it does not have the shape that WebAuthn defines, since well-formed CBOR can
 * also be a number, a string or a list (SEC-236).
 */
export const readAttestation = (decoded: unknown): AttestationObject => {
  const members = required(decoded, isMap)
  return { members, authData: required(members.get("authData"), isBytes) }
}

/** Reads the statement of an attestation object. Throws if a member is missing or has the wrong type. */
export const readStatement = ({ members }: AttestationObject): AttestationStatement => {
  const statement = required(members.get("attStmt"), isMap)
  return {
    format: required(members.get("fmt"), isText),
    certificates: optional(statement.get("x5c"), isCertificates),
    signature: optional(statement.get("sig"), isBytes),
    algorithm: optional(statement.get("alg"), isNumber)
  }
}

/**
 * The attestation formats accepted in realms that require attestation. `android-safetynet` is missing because Google has shut
 * that service down, and `none` because it proves nothing.
 */
const acceptedFormats = ["packed", "fido-u2f", "tpm", "android-key", "apple"]

/**
 * The formats that belong to a single manufacturer, whose root certificates are built in. A realm's own roots don't apply to
 * these formats.
 */
export const singleManufacturerFormats: ReadonlyArray<string> = ["android-key", "apple"]

/** Parses the certificates. Returns undefined if one of them can't be parsed. */
const parseCertificates = (
  certificates: ReadonlyArray<Uint8Array | string>
): ReadonlyArray<X509Certificate> | undefined => {
  try {
    return certificates.map((certificate) => new X509Certificate(certificate))
  } catch {
    return undefined
  }
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo)

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * Returns whether each certificate was issued by the next one, and the last certificate is one of the roots or was issued by
 * one. Doesn't check revocation.
 */
const leadsToRoot = (
  chain: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  now: number
): boolean => {
  const last = chain.at(-1)
  if (last === undefined || !chain.every((certificate) => isValidAt(certificate, now))) return false
  const isChain = chain.slice(1).every((issuer, index) => {
    const issued = chain[index]
    return issuer.ca && issued !== undefined && isIssuedBy(issued, issuer)
  })
  return isChain && roots.some((root) => root.fingerprint256 === last.fingerprint256 || isIssuedBy(last, root))
}

/**
 * Returns whether the statement's certificate chain ends at a trusted manufacturer root: either one built in for this format,
 * or one accepted by the realm. A self-attested statement has no certificates, so it is not trusted (C133).
 */
export const isFromTrustedManufacturer = (
  { format, certificates }: Pick<AttestationStatement, "format" | "certificates">,
  { attestationRoots }: Pick<PasskeyRules, "attestationRoots">,
  builtIn: ReadonlyArray<string>,
  now: number
): boolean => {
  if (!acceptedFormats.includes(format) || certificates === undefined) return false
  const chain = parseCertificates(certificates)
  const roots = parseCertificates(singleManufacturerFormats.includes(format) ? builtIn : attestationRoots)
  return chain !== undefined && roots !== undefined && leadsToRoot(chain, roots, now)
}
