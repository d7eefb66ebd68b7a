import { hash } from "node:crypto"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { constantTimeEqual, sha256 } from "#platform/Tokens"
import { memberAt } from "./ProviderClaims.ts"

/** The hash function of a signature algorithm, by the end of its name. Those without a size are Ed25519. */
const digestOf = (algorithm: string): string => `sha${/(?:256|384|512)$/.exec(algorithm)?.[0] ?? "512"}`

/** Returns the `at_hash` of an access token: the first half of its digest (OpenID Connect Core §3.1.3.6). */
const hashOf = (accessToken: string, algorithm: string): string => {
  const digest = hash(digestOf(algorithm), accessToken, "buffer")
  return digest.subarray(0, digest.length / 2).toString("base64url")
}

/**
 * Returns whether an ID token, whose signature and claims are valid, belongs to its access token and to the issuer of its key.
 * Microsoft's keys name their issuer, with `{tenantid}` for the tenant if they belong to all tenants.
 */
export const isConsistent = (idToken: string, accessToken: string, keys: ReadonlyArray<unknown>): boolean => {
  const { alg = "", kid } = decodeProtectedHeader(idToken)
  const claims = decodeJwt(idToken)
  const expected = claims["at_hash"]
  const isOther = () => !constantTimeEqual(sha256(String(expected)), sha256(hashOf(accessToken, alg)))
  if (expected !== undefined && isOther()) return false
  const issuer = memberAt(
    keys.find((key) => memberAt(key, "kid") === kid),
    "issuer"
  )
  return typeof issuer !== "string" || issuer.replace("{tenantid}", String(claims["tid"])) === claims.iss
}
