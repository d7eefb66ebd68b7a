import { createHash, sign } from "node:crypto"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from "jose"
import { webCrypto } from "#client/DecodeSignature"
import { AccessTokenRefused } from "#client/resource/AccessTokenRefused"
import { type AccessTokenOptions, accessTokenCheckWith, verifyAccessToken } from "#client/resource/VerifyAccessToken"
import { encode } from "./forgedTokens.ts"
import { rsaPairOf } from "./rsaKeys.ts"

export const ISSUER = "https://id.example.test/realms/rl_1"
export const API = "https://api.example.test/notes"
export const SECONDS = 1_800_000_000

export const now = () => new Date(SECONDS * 1000)

const [made, other] = [rsaPairOf(0), rsaPairOf(1)]
const sender = await generateKeyPair("ES256", { extractable: true })

export const otherKey = other.privateKey
export const publicJwk = await exportJWK(made.publicKey)
export const senderJwk = await exportJWK(sender.publicKey)
export const senderSecretJwk = await exportJWK(sender.privateKey)
export const jkt = await calculateJwkThumbprint(senderJwk)

export const jwks: JSONWebKeySet = { keys: [{ ...publicJwk, kid: "k1", alg: "RS256", use: "sig" }] }

/** The claims of a valid access token. */
export const validClaims = {
  iss: ISSUER,
  sub: "us_1",
  aud: API,
  client_id: "ca_1",
  scope: "openid notes:read",
  jti: "t1",
  iat: SECONDS - 10,
  exp: SECONDS + 50
}

/** An access token signed like a realm's, with changed claims or header. */
export const accessToken = (claims: object = {}, header: object = {}, key = made.privateKey): Promise<string> =>
  new SignJWT({ ...validClaims, ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "k1", ...header })
    .sign(key)

/** Signs any header and claims with the issuer's key. */
export const signed = (header: unknown, claims: unknown): string => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${sign("sha256", Buffer.from(input), made.privateKey).toString("base64url")}`
}

/** A token's hash for the `ath` claim of a proof. */
export const athOf = (token: string) => createHash("sha256").update(token).digest("base64url")

/** A DPoP proof for a token, with changed claims or header. */
export const proofOf = (token: string, claims: object = {}, header: object = {}): Promise<string> =>
  new SignJWT({ jti: "p1", htm: "GET", htu: API, iat: SECONDS, ath: athOf(token), ...claims })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: senderJwk, ...header })
    .sign(sender.privateKey)

export const options: AccessTokenOptions = { issuer: ISSUER, audience: API, jwks, now }

/** The check on Node and in other runtimes. */
export const verifiers = [verifyAccessToken, accessTokenCheckWith(webCrypto)]

/** The reason for a rejection, or "accepted". */
export const reasonOf = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt
    return "accepted"
  } catch (error) {
    if (error instanceof AccessTokenRefused) return error.reason
    throw error
  }
}
