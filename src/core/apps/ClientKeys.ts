import { createPublicKey } from "node:crypto"
import type { JWK } from "jose"
import { memberOf } from "#domain/JsonObject"
import { hasShortExponent } from "#domain/oauth/ProofKey"
import { type Problem, problem } from "#domain/Rejected"

/** The maximum number of keys of a client. Leaves room for key rotation. */
const MAX_KEYS = 10

const RSA_BITS = { least: 2_048, most: 8_192 }

/** The members of a public key that are stored (RFC 7518 §6, RFC 8037 §2). */
const publicMembers = ["kty", "kid", "use", "alg", "n", "e", "crv", "x", "y"]

/** The members that only private and symmetric keys have. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

/** The accepted algorithms for each type of key. */
const algorithms: Readonly<Record<string, ReadonlyArray<string>>> = {
  rsa: ["RS256", "PS256"],
  ec: ["ES256"],
  ed25519: ["EdDSA", "Ed25519"]
}

/** Returns the type of a public key, or undefined if no accepted algorithm uses this type. */
const typeOf = (key: object): string | undefined => {
  try {
    const parsed = createPublicKey({ key: { ...key }, format: "jwk" })
    const { modulusLength = 0, namedCurve } = parsed.asymmetricKeyDetails ?? {}
    const type = parsed.asymmetricKeyType
    if (type === "rsa") return modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most ? type : undefined
    if (type === "ec") return namedCurve === "prime256v1" ? type : undefined
    return type === "ed25519" ? type : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown) => value === undefined || typeof value === "string"

const keyProblem = (key: unknown): "jwks_form" | "jwks_private" | undefined => {
  if (typeof key !== "object" || key === null) return "jwks_form"
  if (privateMembers.some((name) => memberOf(key, name) !== undefined)) return "jwks_private"
  if (!publicMembers.every((name) => isText(memberOf(key, name)))) return "jwks_form"
  const [use, alg] = [memberOf(key, "use"), memberOf(key, "alg")]
  const type = typeOf(key)
  if (type === undefined || !hasShortExponent(key) || (use !== undefined && use !== "sig")) return "jwks_form"
  return typeof alg !== "string" || algorithms[type]?.includes(alg) ? undefined : "jwks_form"
}

const publicKey = (key: object) =>
  Object.fromEntries(
    publicMembers.map((name) => [name, memberOf(key, name)]).filter(([, value]) => value !== undefined)
  )

/** The maximum number of keys read from a client's published key set. */
const MAX_PUBLISHED = 50

/**
 * Returns the keys in a published set that can verify signatures of the client. A set may contain keys for other uses, which
 * are ignored (RFC 7517 §5).
 */
export const usableKeys = (set: Readonly<Record<string, unknown>>): ReadonlyArray<JWK> => {
  const keys: unknown = memberOf(set, "keys")
  const all: ReadonlyArray<unknown> = Array.isArray(keys) ? keys.slice(0, MAX_PUBLISHED) : []
  return all.flatMap((key) =>
    keyProblem(key) === undefined && typeof key === "object" && key !== null ? [publicKey(key)] : []
  )
}

/** The client's keys in a caller's input. */
interface ReadKeys {
  /** The JSON to store, or undefined to leave the keys unchanged. */
  readonly jwks: string | null | undefined
  readonly problems: ReadonlyArray<Problem>
}

const rejectedFor = (code: string): ReadKeys => ({ jwks: undefined, problems: [problem("jwks", code)] })

/** Validates a JSON Web Key Set, which may contain only public signature keys. Unknown members of the keys are dropped. */
export const readKeys = (sent: Readonly<Record<string, unknown>> | null | undefined): ReadKeys => {
  if (sent === null || sent === undefined) return { jwks: sent, problems: [] }
  const keys = memberOf(sent, "keys")
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return rejectedFor("jwks_form")
  const [code] = keys.map(keyProblem).filter((one) => one !== undefined)
  if (code !== undefined) return rejectedFor(code)
  return { jwks: JSON.stringify({ keys: keys.map(publicKey) }), problems: [] }
}
