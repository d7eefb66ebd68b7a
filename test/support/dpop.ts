import { createHash, randomUUID } from "node:crypto"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"

/** Parts of a proof that replace the valid ones. */
interface ProofParts {
  readonly header?: object
  readonly claims?: object
  readonly accessToken?: string
  readonly method?: string
}

/** A client key that signs DPoP proofs (RFC 9449). */
export const dpopKey = async (algorithm = "ES256") => {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const proof = (realm: GivenRealm, endpoint: string, parts: ProofParts = {}): Promise<string> => {
    const { accessToken, method = endpoint === "userinfo" ? "GET" : "POST" } = parts
    const ath = accessToken === undefined ? {} : { ath: createHash("sha256").update(accessToken).digest("base64url") }
    const claims = {
      jti: randomUUID(),
      htm: method,
      htu: `https://id.example.test/realms/${realm.id}/${endpoint}`,
      iat: STARTS_AT / 1000,
      ...ath,
      ...parts.claims
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "dpop+jwt", jwk, ...parts.header })
      .sign(privateKey)
  }
  return { jwk, thumbprint: await calculateJwkThumbprint(jwk), proof, privateKey }
}
