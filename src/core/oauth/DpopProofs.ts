import { Context, DateTime, Effect, Layer } from "effect"
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from "jose"
import type { Claims } from "#domain/Claims"
import { PROOF_AGE_SECONDS, proofProblem } from "#domain/oauth/DpopProof"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { proofAlgorithms } from "#domain/oauth/ProofAlgorithm"
import { CurrentRealm } from "#domain/Realm"
import { sha256, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { OAuthProofsRepo } from "#store/oauth/OAuthProofsRepo"
import { parseJsonObject } from "../keys/SignedJwts.ts"

/** A request with a proof of possession of a key. */
export interface DpopRequest {
  /** The value of the `DPoP` header. */
  readonly proof: string
  readonly method: string
  /** The URL of the endpoint. */
  readonly url: string
  /** The access token presented with the proof, or undefined at the token endpoint. */
  readonly accessToken?: string
}

/** The maximum length of a proof, in characters. It has room for two keys of 4,096 bits. */
const PROOF_LENGTH = 4_096

const isJwk = (value: unknown): value is JWK => typeof value === "object" && value !== null && "kty" in value

/** Returns the thumbprint of the key that signed a proof, or undefined if the signature is invalid. */
const thumbprintOf = (proof: string, header: Claims): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const { jwk, alg } = header
    if (!isJwk(jwk) || typeof alg !== "string") return undefined
    try {
      const key = await importJWK(jwk, alg)
      await compactVerify(proof, key, { algorithms: [...proofAlgorithms] })
      return await calculateJwkThumbprint(jwk, "sha256")
    } catch {
      return undefined
    }
  })

/** Verifies proofs that a client has the key to which its tokens are bound (RFC 9449). */
export class DpopProofs extends Context.Service<
  DpopProofs,
  {
    /** Verifies a proof made for this request, and returns the thumbprint of its key. Each proof can be used once. */
    verify(request: DpopRequest): Effect.Effect<string, OAuthRefused, CurrentRealm>
  }
>()("sallyport/core/DpopProofs") {
  static readonly layer = Layer.effect(
    DpopProofs,
    Effect.gen(function* () {
      const repo = yield* OAuthProofsRepo
      const transaction = yield* Transaction

      const verify = Effect.fn("DpopProofs.verify")(function* ({ proof, method, url, accessToken }: DpopRequest) {
        const { id: realmId } = yield* CurrentRealm
        const now = yield* DateTime.now
        const [head = "", body = "", , more] = proof.length > PROOF_LENGTH ? [] : proof.split(".")
        const header = parseJsonObject(head)
        const claims = more === undefined ? parseJsonObject(body) : undefined
        if (header === undefined || claims === undefined) return yield* oauthRefused("proof_invalid")

        const nowSeconds = Math.floor(now.epochMilliseconds / 1_000)
        const accessTokenHash =
          accessToken === undefined ? undefined : Buffer.from(sha256(accessToken)).toString("base64url")
        const problem = proofProblem({ header, claims }, { method, url, nowSeconds, accessTokenHash })
        const thumbprint = problem === undefined ? yield* thumbprintOf(proof, header) : undefined
        if (thumbprint === undefined) return yield* oauthRefused("proof_invalid")

        const id = sha256Text(`dpop ${thumbprint} ${String(claims.jti)}`)
        const expiresAt = DateTime.makeUnsafe((Number(claims.iat) + PROOF_AGE_SECONDS) * 1_000)
        const isFirst = yield* transaction.runSingle(repo.use(realmId, id, expiresAt))
        return isFirst ? thumbprint : yield* oauthRefused("proof_replayed")
      })

      return DpopProofs.of({ verify })
    })
  )
}
