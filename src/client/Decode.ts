import type { JSONWebKeySet, JWTHeaderParameters } from "jose"
import { type Decoded, decodedOf } from "./Decoded.ts"
import { keyFailure, verifierOf } from "./DecodeKeys.ts"
import { nodeCrypto, type TokenCrypto, webCrypto } from "./DecodeSignature.ts"
import type { Fetch } from "./Fetch.ts"
import { type Now, nowSeconds } from "./Now.ts"
import { type Members, membersOf, partsOf } from "./TokenParts.ts"

/**
 * The keys that verify tokens: the URL or content of the realm's JWKS (rs256), the realm's `jwt_key` as returned by the
 * API, or the keys in the issuer's discovery document (rs256).
 */
type Keys =
  | { readonly jwks: URL | JSONWebKeySet; readonly jwtKey?: never }
  | { readonly jwtKey: string; readonly jwks?: never }
  | { readonly issuer: string; readonly jwks?: never; readonly jwtKey?: never }

/** The options of a decoder. */
export type DecoderOptions = Keys & {
  /** Accepts only tokens of this issuer. Without `jwks` and `jwtKey`, the keys are also discovered there. */
  readonly issuer?: string
  /** Accepts only tokens of this realm. */
  readonly realmId?: string
  /** Whether to accept tokens that never expire, which some realms issue for unmanaged sessions and API keys. Default: false. */
  readonly allowUnending?: boolean
  /** The tolerance for clock differences, in seconds. Default: 0. */
  readonly clockTolerance?: number
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
  /** Fetches the keys. Default: the global `fetch`. Decoders with the same `fetch` share their cached keys. */
  readonly fetch?: Fetch
}

/** Reads the session from a token without calling the service. Resolves to null if the token is invalid or expired. */
export type Decode = (token: string) => Promise<Decoded | null>

/** Returns the header of a token that may be signed with this algorithm. Extensions are not supported (RFC 7515 §4.1.11). */
const headerOf = (text: string, algorithm: string): JWTHeaderParameters | undefined => {
  const members = membersOf(text)
  if (members === undefined || members["alg"] !== algorithm || members["crit"] !== undefined) return undefined
  const { kid } = members
  if (kid !== undefined && typeof kid !== "string") return undefined
  return { alg: algorithm, ...(kid === undefined ? {} : { kid }) }
}

const isSignedWithSecret = (text: string): boolean => membersOf(text)?.["alg"] === "HS256"

/** The claims that are accepted. */
interface Rules {
  readonly issuer: string | undefined
  readonly allowUnending: boolean
  readonly clockTolerance: number
}

/** Whether the issuer matches and the token is valid at a time in whole seconds (RFC 7519 §4.1). */
const isValidAt = ({ iss, exp, nbf }: Members, seconds: number, rules: Rules): boolean => {
  if (rules.issuer !== undefined && iss !== rules.issuer) return false
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > seconds + rules.clockTolerance)) return false
  if (exp === undefined) return rules.allowUnending
  return typeof exp === "number" && exp > seconds - rules.clockTolerance
}

/** Creates decoders that check signatures with the given implementation. */
export const decoderWith =
  (crypto: TokenCrypto) =>
  (options: DecoderOptions): Decode => {
    const { issuer, realmId, allowUnending = false, clockTolerance = 0, now } = options
    if (!(clockTolerance >= 0)) throw new TypeError("clockTolerance must be a number of seconds, 0 or more.")
    const { algorithm, checkFor, refuseSecret } = verifierOf(options, crypto)
    const rules = { issuer, allowUnending, clockTolerance }
    return async (token) => {
      const parts = partsOf(token)
      if (parts === undefined) return null
      const { head, body, signature } = parts
      const header = headerOf(crypto.textOf(head), algorithm)
      if (header === undefined) {
        if (isSignedWithSecret(crypto.textOf(head))) await refuseSecret?.().catch(keyFailure)
        return null
      }
      const check = await Promise.resolve(checkFor(header)).catch(keyFailure)
      if (check === null || !(await check(`${head}.${body}`, signature))) return null
      const claims = membersOf(crypto.textOf(body))
      if (claims === undefined || !isValidAt(claims, nowSeconds(now), rules)) return null
      const decoded = decodedOf(claims, token)
      return decoded === undefined || (realmId !== undefined && decoded.user.realm_id !== realmId) ? null : decoded
    }
  }

/**
 * Creates a function that decodes login tokens inside an app (`v2.decode`). It verifies the signature and the expiry, but
 * not whether the session has been deleted. Its promise rejects with `KeysUnavailable` if the keys can't be fetched.
 *
 *     const decode = decoder({ issuer: "https://id.example.com/realms/rl_…" })
 *     const session = await decode(token)
 */
export const decoder: (options: DecoderOptions) => Decode = decoderWith(nodeCrypto() ?? webCrypto)
