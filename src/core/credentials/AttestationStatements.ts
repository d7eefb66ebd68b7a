import { X509Certificate } from "node:crypto"
import type { PasskeyRules } from "#domain/Passkey"

/** An attestation object of WebAuthn Level 3 whose statement has not been read. */
export interface AttestationObject {
  readonly authData: Uint8Array
  readonly members: ReadonlyMap<unknown, unknown>
}

/** An attestation statement, as far as it is looked at here. */
export interface AttestationStatement {
  readonly format: string
  /** The certificates of the statement, DER, the authenticator's first. Undefined if it has none. */
  readonly certificates: ReadonlyArray<Uint8Array> | undefined
  /** The signature of the statement and its algorithm by COSE. Undefined if it has none. */
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
 * Reads a decoded attestation object. Throws unless it has the shape that WebAuthn describes: well-formed CBOR may as well be a
 * number, a text or a list (SEC-236).
 */
export const readAttestation = (decoded: unknown): AttestationObject => {
  const members = required(decoded, isMap)
  return { members, authData: required(members.get("authData"), isBytes) }
}

/** Reads the statement of an attestation object. Throws unless its members have the types that they should have. */
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
 * The formats that are accepted where a realm wants statements. `android-safetynet` is not: Google has ended that service, so
 * that nothing trustworthy bears it any more. `none` says nothing.
 */
const acceptedFormats = ["packed", "fido-u2f", "tpm", "android-key", "apple"]

/** The formats of a single maker, whose roots are built in. A realm's own roots don't count for them. */
export const ofOneMaker: ReadonlyArray<string> = ["android-key", "apple"]

/** The certificates, or undefined if one cannot be read. */
const parsed = (certificates: ReadonlyArray<Uint8Array | string>): ReadonlyArray<X509Certificate> | undefined => {
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

/** Whether each certificate is issued by the next, and the last one by a root or is one. No revocation lists are fetched. */
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
 * Whether a statement leads to a manufacturer whose roots are known: built in for this format, or accepted by the realm. A
 * statement that the passkey's own key has signed has no certificates, and says no more than none (C133).
 */
export const isOfKnownMaker = (
  { format, certificates }: Pick<AttestationStatement, "format" | "certificates">,
  { attestationRoots }: Pick<PasskeyRules, "attestationRoots">,
  builtIn: ReadonlyArray<string>,
  now: number
): boolean => {
  if (!acceptedFormats.includes(format) || certificates === undefined) return false
  const chain = parsed(certificates)
  const roots = parsed(ofOneMaker.includes(format) ? builtIn : attestationRoots)
  return chain !== undefined && roots !== undefined && leadsToRoot(chain, roots, now)
}
