import type { JSONWebKeySet } from "jose"
import { keyFailure, type Verifier, verifierOf } from "../DecodeKeys.ts"
import { nodeCrypto, type TokenCrypto, webCrypto } from "../DecodeSignature.ts"
import type { Fetch } from "../Fetch.ts"
import { type Now, nowSeconds } from "../Now.ts"
import { type Members, membersOf, partsOf } from "../TokenParts.ts"
import { type AccessToken, accessTokenOf } from "./AccessToken.ts"
import { type AccessTokenReason, AccessTokenRefused } from "./AccessTokenRefused.ts"
import { checkProof, type TokenRequest } from "./Proof.ts"
import type { Replays } from "./Replays.ts"

/** The access tokens that are accepted. */
export interface AccessTokenOptions {
  /** The issuer of the tokens, as in its discovery document. */
  readonly issuer: string
  /** The audience that identifies this API in tokens. With several, one match is enough. */
  readonly audience: string | ReadonlyArray<string>
  /** The scopes that the token must have. Default: none. */
  readonly scopes?: ReadonlyArray<string>
  /** The URL or content of the issuer's JWKS. Default: the URL in its discovery document. */
  readonly jwks?: URL | JSONWebKeySet
  /** Stores used DPoP proofs. Without it, tokens bound to a key are rejected. */
  readonly replays?: Replays
  /** Whether to reject tokens that are not bound to a key. Default: false. */
  readonly requireDpop?: boolean
  /** The tolerance for clock differences, in seconds. Default: 5. */
  readonly clockTolerance?: number
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
  /** Fetches the keys. Default: the global `fetch`. */
  readonly fetch?: Fetch
}

const DEFAULT_TOLERANCE = 5

/** The maximum length of a token, in characters. */
const MAX_CHARACTERS = 16_384

/** The type of access tokens, with and without its prefix (RFC 9068 §4). */
const types: ReadonlySet<unknown> = new Set(["at+jwt", "application/at+jwt"])

const refuse = (reason: AccessTokenReason): never => {
  throw new AccessTokenRefused(reason)
}

interface Checked {
  readonly options: AccessTokenOptions
  readonly audiences: ReadonlySet<string>
  readonly verifier: Verifier
}

/** Validates the options. Throws a TypeError if no token could be verified safely. */
const checkedOptions = (options: AccessTokenOptions, crypto: TokenCrypto): Checked => {
  const { issuer, audience, jwks, fetch, clockTolerance = 0, requireDpop = false, replays } = options
  const audiences = new Set([audience].flat())
  if (typeof issuer !== "string" || issuer === "") throw new TypeError("issuer must be the URL of the realm.")
  if (audiences.size === 0 || [...audiences].some((one) => typeof one !== "string" || one === ""))
    throw new TypeError("audience must be the name of this resource in tokens.")
  if (!(clockTolerance >= 0)) throw new TypeError("clockTolerance must be a number of seconds, 0 or more.")
  if (requireDpop && replays === undefined) throw new TypeError("requireDpop requires replays.")
  const verifier = verifierOf(jwks === undefined ? { issuer, fetch } : { jwks, fetch }, crypto)
  return { options, audiences, verifier }
}

/** Returns the header of an access token. Extensions are not supported, and embedded keys are ignored. */
const headerOf = (text: string) => {
  const { typ, alg, kid, crit } = membersOf(text) ?? refuse("malformed")
  if (crit !== undefined || (kid !== undefined && typeof kid !== "string")) return refuse("malformed")
  if (!types.has(typeof typ === "string" ? typ.toLowerCase() : typ)) return refuse("wrong_type")
  if (alg !== "RS256") return refuse("wrong_algorithm")
  return { alg, ...(kid === undefined ? {} : { kid }) }
}

/** Returns the claims of a token, verified with one of the issuer's keys. */
const signedClaims = async (token: string, { verifier }: Checked, crypto: TokenCrypto): Promise<Members> => {
  const { head, body, signature } = (token.length > MAX_CHARACTERS ? undefined : partsOf(token)) ?? refuse("malformed")
  const header = headerOf(crypto.textOf(head))
  const check = (await Promise.resolve(verifier.checkFor(header)).catch(keyFailure)) ?? refuse("unknown_key")
  if (!(await check(`${head}.${body}`, signature))) return refuse("wrong_signature")
  return membersOf(crypto.textOf(body)) ?? refuse("malformed")
}

/** Rejects tokens that are from another issuer, for another resource, or not valid at this time. */
const checkClaims = (
  { iss, aud, exp, claims }: AccessToken,
  { options, audiences }: Checked,
  seconds: number
): void => {
  const { issuer, clockTolerance = DEFAULT_TOLERANCE } = options
  const { nbf } = claims
  if (iss !== issuer) refuse("wrong_issuer")
  if (!aud.some((one) => audiences.has(one))) refuse("wrong_audience")
  if (exp <= seconds - clockTolerance) refuse("expired")
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= seconds + clockTolerance)) refuse("not_yet_valid")
}

/** Rejects key-bound tokens without a valid proof, and proofs for tokens that are not bound. */
const checkBinding = async (
  token: string,
  { jkt }: AccessToken,
  { requireDpop = false, replays }: AccessTokenOptions,
  request: TokenRequest | undefined,
  seconds: number
): Promise<void> => {
  if (jkt === null && request !== undefined) return refuse("proof_unexpected")
  if (jkt === null) return requireDpop ? refuse("proof_required") : undefined
  if (replays === undefined) return refuse("proof_unsupported")
  if (request === undefined) return refuse("proof_missing")
  await checkProof(request, { token, jkt, seconds, replays })
}

/** Creates access token checks that verify signatures with the given implementation. */
export const accessTokenCheckWith = (crypto: TokenCrypto) => {
  const known = new WeakMap<AccessTokenOptions, Checked>()
  return async (token: string, options: AccessTokenOptions, request?: TokenRequest): Promise<AccessToken> => {
    const checked = known.get(options) ?? checkedOptions(options, crypto)
    known.set(options, checked)
    const { scopes = [], now } = options
    if (typeof token !== "string") return refuse("malformed")
    const access = accessTokenOf(await signedClaims(token, checked, crypto))
    const seconds = nowSeconds(now)
    checkClaims(access, checked, seconds)
    await checkBinding(token, access, options, request, seconds)
    if (!scopes.every((scope) => access.scopes.includes(scope)))
      throw new AccessTokenRefused("insufficient_scope", scopes)
    return access
  }
}

/**
 * Verifies a realm's access token inside an API, without calling the service: its signature, issuer, audience, time and
 * scopes. Rejects with `AccessTokenRefused`, whose `reason` explains why, or with `KeysUnavailable` if the keys can't
 * be fetched.
 *
 * A key-bound token requires `replays`, and the `request` that carries it with the `DPoP` scheme. Pass `request` only
 * for that scheme, because then tokens that are not bound are rejected.
 *
 *     const { sub, scopes } = await verifyAccessToken(token, { issuer, audience: "https://api.example.com" })
 */
export const verifyAccessToken: (
  token: string,
  options: AccessTokenOptions,
  request?: TokenRequest
) => Promise<AccessToken> = accessTokenCheckWith(nodeCrypto() ?? webCrypto)
