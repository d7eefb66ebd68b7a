import type { JSONWebKeySet, JWTHeaderParameters } from "jose"
import { type Decoded, decodedOf } from "./Decoded.ts"
import { keyFailure, verifierOf } from "./DecodeKeys.ts"
import { nodeCrypto, type TokenCrypto, webCrypto } from "./DecodeSignature.ts"
import type { Fetch } from "./Fetch.ts"
import { type Now, secondsBy } from "./Now.ts"
import { type Members, membersOf, partsOf } from "./TokenParts.ts"

/**
 * How tokens are verified: with the URL or content of the realm's JWKS (rs256), with its `jwt_key` as the API shows it, or with
 * the keys that the issuer's discovery document names (rs256).
 */
type Keys =
  | { readonly jwks: URL | JSONWebKeySet; readonly jwtKey?: never }
  | { readonly jwtKey: string; readonly jwks?: never }
  | { readonly issuer: string; readonly jwks?: never; readonly jwtKey?: never }

/** The options of a decoder. */
export type DecoderOptions = Keys & {
  /** Accept only tokens of this issuer. Without `jwks` and `jwtKey` also where the keys are found. */
  readonly issuer?: string
  /** Accept only tokens of this realm. */
  readonly realmId?: string
  /** Whether to accept tokens that never expire, as some realms' unmanaged sessions and API keys have. Default: false. */
  readonly allowUnending?: boolean
  /** How far, in seconds, the machine's clock may be off. Default: 0. */
  readonly clockTolerance?: number
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
  /** How keys are fetched. Default: the global `fetch`. Decoders with the same one share the keys that they have fetched. */
  readonly fetch?: Fetch
}

/** Reads the session in a token without a request to the service; null if the token is invalid or expired. */
export type Decode = (token: string) => Promise<Decoded | null>

/** The header of a token that a key of this algorithm may have signed. No extension is understood (RFC 7515 §4.1.11). */
const headerOf = (text: string, algorithm: string): JWTHeaderParameters | undefined => {
  const members = membersOf(text)
  if (members === undefined || members["alg"] !== algorithm || members["crit"] !== undefined) return undefined
  const { kid } = members
  if (kid !== undefined && typeof kid !== "string") return undefined
  return { alg: algorithm, ...(kid === undefined ? {} : { kid }) }
}

const isSignedWithSecret = (text: string): boolean => membersOf(text)?.["alg"] === "HS256"

/** Which claims are accepted. */
interface Rules {
  readonly issuer: string | undefined
  readonly allowUnending: boolean
  readonly clockTolerance: number
}

/** Whether the claims are of the issuer and valid at a time in whole seconds (RFC 7519 §4.1). */
const isValidAt = ({ iss, exp, nbf }: Members, seconds: number, rules: Rules): boolean => {
  if (rules.issuer !== undefined && iss !== rules.issuer) return false
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > seconds + rules.clockTolerance)) return false
  if (exp === undefined) return rules.allowUnending
  return typeof exp === "number" && exp > seconds - rules.clockTolerance
}

/** Makes decoders that check signatures in a certain way. */
export const decoderWith =
  (crypto: TokenCrypto) =>
  (options: DecoderOptions): Decode => {
    const { issuer, realmId, allowUnending = false, clockTolerance = 0, now } = options
    if (!(clockTolerance >= 0)) throw new TypeError("clockTolerance is a number of seconds, 0 or more.")
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
      if (claims === undefined || !isValidAt(claims, secondsBy(now), rules)) return null
      const decoded = decodedOf(claims, token)
      return decoded === undefined || (realmId !== undefined && decoded.user.realm_id !== realmId) ? null : decoded
    }
  }

/**
 * Makes a function that decodes login tokens inside an app (`v2.decode`). It verifies the signature and the expiry, not
 * whether the session was deleted since. Its promise rejects with `KeysUnavailable` if the keys can't be had.
 *
 *     const decode = decoder({ issuer: "https://id.example.com/realms/rl_…" })
 *     const session = await decode(token)
 */
export const decoder: (options: DecoderOptions) => Decode = decoderWith(nodeCrypto() ?? webCrypto)
