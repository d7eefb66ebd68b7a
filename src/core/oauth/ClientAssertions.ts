import { DateTime, Effect } from "effect"
import { compactVerify, importJWK, type JWK } from "jose"
import type { Claims } from "#domain/Claims"
import { clientIdOf, type OAuthClient } from "#domain/clients/OAuthClient"
import { isValidAssertion } from "#domain/oauth/ClientAssertion"
import { isProofAlgorithm, type ProofAlgorithm } from "#domain/oauth/ProofAlgorithm"
import { hasShortExponent } from "#domain/oauth/ProofKey"
import { sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { OAuthProofsRepo } from "#store/oauth/OAuthProofsRepo"
import { Issuer } from "../keys/Issuer.ts"
import { parseJsonObject } from "../keys/SignedJwts.ts"
import { ClientKeySets } from "./ClientKeySets.ts"

/** The maximum length of an assertion, in characters. */
const ASSERTION_LENGTH = 8_192

/** The algorithms allowed for each type of key, regardless of an assertion's header. */
const algorithmsOf: Readonly<Record<string, ReadonlyArray<ProofAlgorithm>>> = {
  RSA: ["RS256", "PS256"],
  EC: ["ES256"],
  OKP: ["EdDSA"]
}

/** Returns the client named in an assertion, without verifying the assertion. */
export const assertedClient = (assertion: string): string | undefined => {
  const sub = assertion.length > ASSERTION_LENGTH ? undefined : parseJsonObject(assertion.split(".")[1] ?? "")?.sub
  return typeof sub === "string" ? sub : undefined
}

/** Returns the client's keys that may have signed an assertion with this header. */
const candidates = (keys: ReadonlyArray<JWK>, { alg, kid }: Claims): ReadonlyArray<JWK> =>
  keys.filter(
    (key) =>
      isProofAlgorithm(alg) &&
      hasShortExponent(key) &&
      algorithmsOf[key.kty ?? ""]?.includes(alg) === true &&
      (key.alg === undefined || key.alg === alg || alg === "EdDSA") &&
      (kid === undefined || key.kid === undefined || key.kid === kid)
  )

const isSignedBy = async (assertion: string, key: JWK, alg: string): Promise<boolean> => {
  try {
    await compactVerify(assertion, await importJWK(key, alg), { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

/** Returns whether one of the keys has signed an assertion with this header. */
const isSignedByAny = (assertion: string, header: Claims, keys: ReadonlyArray<JWK>): Effect.Effect<boolean> => {
  const checks = candidates(keys, header).map((key) => isSignedBy(assertion, key, String(header["alg"])))
  return Effect.map(
    Effect.promise(() => Promise.all(checks)),
    (results) => results.includes(true)
  )
}

/** Makes the function that verifies the assertions by which clients authenticate with their own keys (RFC 7523, SEC-149). */
export const assertionVerifier = Effect.gen(function* () {
  const issuer = yield* Issuer
  const keySets = yield* ClientKeySets
  const repo = yield* OAuthProofsRepo
  const transaction = yield* Transaction

  /** Returns whether the client made this assertion for the realm and has not used it before. Uses up the assertion. */
  const prove = Effect.fn("ClientAssertions.prove")(function* (client: OAuthClient, assertion: string) {
    const { realmId } = client
    const clientId = clientIdOf(client)
    const now = yield* DateTime.now
    const [head = "", body = "", , more] = assertion.length > ASSERTION_LENGTH ? [] : assertion.split(".")
    const header = parseJsonObject(head)
    const claims = more === undefined ? parseJsonObject(body) : undefined
    if (header === undefined || claims === undefined) return false

    const audiences = [issuer.of(realmId), issuer.endpoint("token", realmId), issuer.endpoint("par", realmId)]
    const nowSeconds = Math.floor(now.epochMilliseconds / 1_000)
    if (!isValidAssertion(claims, { clientId, audiences, nowSeconds })) return false

    // If no known key matches, the client may have rotated its keys.
    const isSigned =
      (yield* isSignedByAny(assertion, header, yield* keySets.find(client))) ||
      (yield* isSignedByAny(assertion, header, (yield* keySets.findNewer(client)) ?? []))
    if (!isSigned) return false
    const expiresAt = DateTime.makeUnsafe((Number(claims.exp) + 1) * 1_000)
    const id = sha256Text(`assertion ${clientId} ${String(claims.jti)}`)
    return yield* transaction.runSingle(repo.use(realmId, id, expiresAt))
  })

  return prove
})
