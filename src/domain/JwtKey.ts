import { Data, DateTime } from "effect"
import type { JwtKeyId, RealmId } from "./Ids.ts"
import { isKnownModulus, isKnownSecret } from "./PublishedKeys.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isWithin, TEXT_LENGTH } from "./Text.ts"

export const jwtAlgorithms = ["hs256", "rs256"] as const

export type JwtAlgorithm = (typeof jwtAlgorithms)[number]

/**
 * A key that signs a realm's tokens. `secret` is the hs256 secret or the RSA private key as PKCS 8 PEM. If it cannot be
 * decrypted, `secret` is null and the key cannot sign.
 */
export interface JwtKey {
  readonly id: JwtKeyId
  readonly realmId: RealmId
  readonly algo: JwtAlgorithm
  readonly publicKey: string | null
  readonly secret: string | null
  readonly createdAt: DateTime.Utc
  readonly expiredAt: DateTime.Utc | null
}

/** The key needed to verify tokens, as `jwt_key` shows it: the secret for hs256, the public key for rs256. */
export const verificationKeyOf = (key: JwtKey): string | null =>
  key.algo === "hs256" ? key.secret : (key.publicKey ?? "")

/** Returns whether the key can sign: it is not retired, and its secret can be decrypted. */
export const canSign = (key: JwtKey): boolean => key.expiredAt === null && key.secret !== null

/** How long verifiers may cache the JWKS, in seconds. This is its `max-age` (C270). */
export const JWKS_MAX_AGE = 60

/** The minimum and maximum grace period of a retired key, in minutes. */
export const MIN_GRACE_MINUTES = 6 * 60
export const MAX_GRACE_MINUTES = 24 * 60

/**
 * The grace period of rs256 keys, in minutes. A retired key may keep signing until verifiers know its successor, and access
 * tokens are valid for up to a day (C270).
 */
export const RS256_GRACE_MINUTES = MAX_GRACE_MINUTES + JWKS_MAX_AGE / 60

/**
 * How long tokens signed by a retired key are still accepted, in minutes: max(6 h, min(session_minutes, 24 h)) (C32). For
 * rs256, it covers the longest access token (C270).
 */
export const graceMinutes = (algo: JwtAlgorithm, sessionMinutes: number): number =>
  algo === "rs256" ? RS256_GRACE_MINUTES : Math.max(MIN_GRACE_MINUTES, Math.min(sessionMinutes, MAX_GRACE_MINUTES))

/** Keys retired before this time are past their grace period and no longer shown to callers (C33). */
export const graceCutoff = (algo: JwtAlgorithm, sessionMinutes: number, now: DateTime.Utc): DateTime.Utc =>
  DateTime.subtract(now, { minutes: graceMinutes(algo, sessionMinutes) })

type KeyTimes = Pick<JwtKey, "algo" | "createdAt" | "expiredAt">

/** Returns whether the key can no longer sign or verify. Its row may still exist. */
export const isPastGrace = (
  { algo, expiredAt }: Pick<KeyTimes, "algo" | "expiredAt">,
  sessionMinutes: number,
  now: DateTime.Utc
): boolean => expiredAt !== null && DateTime.isLessThanOrEqualTo(expiredAt, graceCutoff(algo, sessionMinutes, now))

/**
 * The key to sign with instead of a new rs256 key that verifiers may not have fetched yet. This is the newest key known to
 * them, if it was retired within the cache time of the JWKS. Undefined if they know the new key or there is no such
 * substitute. `ring` is sorted oldest first (C270, SEC-253).
 */
export const substituteFor = <Key extends KeyTimes>(
  key: Key,
  ring: ReadonlyArray<Key>,
  now: DateTime.Utc
): Key | undefined => {
  const unknownSince = DateTime.subtract(now, { seconds: JWKS_MAX_AGE })
  const isKnown = ({ createdAt }: Key) => DateTime.isLessThanOrEqualTo(createdAt, unknownSince)
  if (key.algo !== "rs256" || isKnown(key)) return undefined
  return ring.findLast(
    (other) =>
      other.algo === "rs256" &&
      isKnown(other) &&
      other.expiredAt !== null &&
      DateTime.isGreaterThan(other.expiredAt, unknownSince)
  )
}

/** The minimum length of an hs256 secret, in bytes of UTF-8 (C30). */
const MIN_SECRET_BYTES = 32

/** Validates an hs256 secret provided by a caller (SEC-43). */
export const secretProblems = (secret: string): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const bytes = new TextEncoder().encode(secret).length
  if (bytes < MIN_SECRET_BYTES) problems.push(problem("key", "too_few_bytes", { least: MIN_SECRET_BYTES }))
  if (!isWithin(TEXT_LENGTH, secret)) problems.push(problem("key", "too_long", { maximum: TEXT_LENGTH }))
  if (isKnownSecret(secret)) problems.push(problem("key", "known_key"))
  return problems
}

/** The public parameters of an RSA key. `modulus` is in base64url. */
export interface RsaNumbers {
  readonly modulus: string
  readonly bits: number
  readonly exponent: bigint
}

/** The allowed RSA key sizes, in bits. Shorter keys can be broken, and longer ones make signing too slow. */
const RSA_BITS = { least: 2_048, most: 8_192 } as const

/** The allowed public exponents of RSA keys. Smaller ones allow known forgeries, and some verifiers reject larger ones. */
const RSA_EXPONENT = { least: 65_537, most: 2 ** 31 - 1 } as const

/** Validates an RSA key provided by a caller (SEC-43). */
export const rsaProblems = ({ modulus, bits, exponent }: RsaNumbers): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  if (bits < RSA_BITS.least || bits > RSA_BITS.most) problems.push(problem("key", "rsa_size", RSA_BITS))
  if (exponent < RSA_EXPONENT.least || exponent > RSA_EXPONENT.most) {
    problems.push(problem("key", "rsa_exponent", RSA_EXPONENT))
  }
  if (isKnownModulus(modulus)) problems.push(problem("key", "known_key"))
  return problems
}

export class JwtKeyNotFound extends Data.TaggedError("JwtKeyNotFound")<{ readonly id: string }> {}
