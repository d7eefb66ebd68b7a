import { Data, DateTime } from "effect"
import type { JwtKeyId, RealmId } from "./Ids.ts"
import { isKnownModulus, isKnownSecret } from "./PublishedKeys.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isWithin, TEXT_LENGTH } from "./Text.ts"

export const jwtAlgorithms = ["hs256", "rs256"] as const

export type JwtAlgorithm = (typeof jwtAlgorithms)[number]

/**
 * A key that signs a realm's tokens. `secret`: the hs256 secret, or the RSA private key as PKCS 8 PEM; null where it can't
 * be opened any more. Such a key signs nothing.
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

/** What verifies the key's tokens: the secret itself (hs256) or the public key (rs256), as `jwt_key` shows it. */
export const verifyingKey = (key: JwtKey): string | null => (key.algo === "hs256" ? key.secret : (key.publicKey ?? ""))

/** Whether the key can sign: it is not retired, and its secret can be opened. */
export const canSign = (key: JwtKey): boolean => key.expiredAt === null && key.secret !== null

/** How long a retired key verifies at least and at most, in minutes. */
export const SHORTEST_GRACE = 6 * 60
export const LONGEST_GRACE = 24 * 60

/** For how long a retired key still verifies, in minutes: max(6 h, min(session_minutes, 24 h)) (decision 32). */
export const graceMinutes = (sessionMinutes: number): number =>
  Math.max(SHORTEST_GRACE, Math.min(sessionMinutes, LONGEST_GRACE))

/** The grace time of the keys that were retired until then is over: to all callers they are gone (decision 33). */
export const goneSince = (sessionMinutes: number, now: DateTime.Utc): DateTime.Utc =>
  DateTime.subtract(now, { minutes: graceMinutes(sessionMinutes) })

/** Whether the key neither signs nor verifies any more, though its row may still be there. */
export const isGone = (key: JwtKey, sessionMinutes: number, now: DateTime.Utc): boolean =>
  key.expiredAt !== null && DateTime.isLessThanOrEqualTo(key.expiredAt, goneSince(sessionMinutes, now))

/** The shortest hs256 secret, in bytes of UTF-8 (decision 30). */
const SECRET_BYTES = 32

/** Everything wrong with an hs256 secret of a caller's own (SEC-43). */
export const secretProblems = (secret: string): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const bytes = new TextEncoder().encode(secret).length
  if (bytes < SECRET_BYTES) problems.push(problem("key", "too_few_bytes", { least: SECRET_BYTES }))
  if (!isWithin(TEXT_LENGTH, secret)) problems.push(problem("key", "too_long", { maximum: TEXT_LENGTH }))
  if (isKnownSecret(secret)) problems.push(problem("key", "known_key"))
  return problems
}

/** What is public of an RSA key: `modulus` in base64url. */
export interface RsaNumbers {
  readonly modulus: string
  readonly bits: number
  readonly exponent: bigint
}

/** The sizes of RSA keys, in bits: what is shorter can be broken, what is longer takes too long to sign with. */
const RSA_BITS = { least: 2_048, most: 8_192 } as const

/** The public exponents of RSA keys: smaller ones are known for forgeries, larger ones are beyond some verifiers. */
const RSA_EXPONENT = { least: 65_537, most: 2 ** 31 - 1 } as const

/** Everything wrong with an RSA key of a caller's own (SEC-43). */
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
