import { base64url, calculateJwkThumbprint, compactVerify, decodeProtectedHeader, EmbeddedJWK, errors } from "jose"
import { membersOf, partsOf } from "../TokenParts.ts"
import type { AccessToken } from "./AccessToken.ts"
import { type AccessTokenReason, AccessTokenRefused } from "./AccessTokenRefused.ts"
import { PROOF_SECONDS, type Replays } from "./Replays.ts"

/** The supported algorithms of proofs; only asymmetric ones are allowed (RFC 9449 §4.3). */
export const proofAlgorithms = ["ES256", "RS256", "PS256", "EdDSA"] as const

/** The request that carries a token. */
export interface TokenRequest {
  readonly method: string
  /** The URL as the client sees it, before any proxy. */
  readonly url: string | URL
  /** The value of the `DPoP` header. */
  readonly proof: string | null | undefined
}

/** The maximum length of a proof, in characters. */
const MAX_CHARACTERS = 8_192

/** The maximum length of a proof's ID, in characters. */
const MAX_ID_CHARACTERS = 512

const refuse = (reason: AccessTokenReason): never => {
  throw new AccessTokenRefused(reason)
}

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : refuse("proof_malformed"))

/** Returns the hash of a value: of a token, to compare it with its proof, or of a used proof, to store it. */
const sha256 = async (value: string): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))))

/** Removes the query and fragment from a URL (RFC 9449 §4.3). */
const withoutQuery = (address: string | URL): string => {
  if (!URL.canParse(String(address))) return refuse("proof_malformed")
  const { protocol, host, pathname } = new URL(String(address))
  return `${protocol}//${host}${pathname}`
}

/** The maximum lengths of an RSA key's members, in base64url characters: a modulus of 4,096 bits, an exponent of 64. */
const keyLengths = { n: 683, e: 11 }

/** Whether a key is small enough to verify a signature quickly (SEC-196). */
const isSmallKey = (jwk: object): boolean =>
  Object.entries(keyLengths).every(([name, most]) => String(Reflect.get(jwk, name) ?? "").length <= most)

/** Rejects keys that are private, symmetric, or so large that verification is slow. */
const checkKey = (jwk: unknown): void => {
  const isKey = typeof jwk === "object" && jwk !== null && !["d", "k"].some((name) => name in jwk)
  if (!isKey || !isSmallKey(jwk)) refuse("proof_malformed")
}

/** Verifies a proof with the key in its header. Returns the proof's content. */
const verified = async (proof: string) => {
  try {
    const header = decodeProtectedHeader(proof)
    if (header.typ !== "dpop+jwt") return refuse("proof_malformed")
    checkKey(header.jwk)
    return await compactVerify(proof, EmbeddedJWK, { algorithms: [...proofAlgorithms] })
  } catch (error) {
    if (error instanceof AccessTokenRefused) throw error
    const isWrong = error instanceof errors.JWSSignatureVerificationFailed
    return refuse(isWrong ? "proof_wrong_signature" : "proof_malformed")
  }
}

/** The expected values of a proof. */
interface Expected {
  readonly token: string
  readonly jkt: NonNullable<AccessToken["jkt"]>
  readonly seconds: number
  readonly replays: Replays
}

/** Throws unless a request proves possession of the token's key (RFC 9449 §4.3). */
export const checkProof = async ({ proof, method, url }: TokenRequest, expected: Expected): Promise<void> => {
  if (proof == null || proof === "") return refuse("proof_missing")
  if (proof.length > MAX_CHARACTERS || partsOf(proof) === undefined) return refuse("proof_malformed")
  const { payload, protectedHeader } = await verified(proof)
  const claims = membersOf(new TextDecoder().decode(payload)) ?? refuse("proof_malformed")
  const { jwk } = protectedHeader
  if (jwk === undefined) return refuse("proof_malformed")
  if ((await calculateJwkThumbprint(jwk)) !== expected.jkt) return refuse("proof_wrong_key")
  const [jti, iat] = [text(claims["jti"]), claims["iat"]]
  if (jti.length > MAX_ID_CHARACTERS || typeof iat !== "number") return refuse("proof_malformed")
  if (text(claims["htm"]) !== method || withoutQuery(text(claims["htu"])) !== withoutQuery(url))
    return refuse("proof_wrong_request")
  if (!(Math.abs(expected.seconds - iat) <= PROOF_SECONDS)) return refuse("proof_wrong_time")
  if (text(claims["ath"]) !== (await sha256(expected.token))) return refuse("proof_wrong_token")
  const isFirst = await expected.replays.add(await sha256(`${expected.jkt}.${jti}`), iat + PROOF_SECONDS)
  if (!isFirst) return refuse("proof_replayed")
}
