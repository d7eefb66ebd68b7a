import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { grantProblem } from "#domain/oauth/GrantValidity"
import { withinClientLimits } from "#domain/oauth/OAuthGrant"
import { OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { isOAuthSecret } from "#domain/oauth/OAuthToken"
import { decideRefresh } from "#domain/oauth/RefreshRotation"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { OAuthRefreshTokensRepo, type StoredRefreshToken } from "#store/oauth/OAuthRefreshTokensRepo"
import { Issuer } from "../keys/Issuer.ts"
import { GrantEnds } from "./GrantEnds.ts"
import { grantedAccess, type IssuedTokens, type TokenRequest } from "./IssuedTokens.ts"
import { OAuthTokenIssuer } from "./OAuthTokenIssuer.ts"
import { newSalt, successorOf } from "./RefreshTokens.ts"

/** An authenticated client's request with a refresh token. */
export interface RefreshRequest extends TokenRequest {
  readonly client: OAuthClient
  readonly refreshToken: string
  /** The thumbprint of the key that signed the request's DPoP proof, if any. */
  readonly jkt: string | null
}

/** Exchanges refresh tokens for new tokens. Each refresh token can be used once. */
export class RefreshRotation extends Context.Service<
  RefreshRotation,
  {
    /**
     * Exchanges a refresh token. If several requests use it at about the same time, all of them get the same new token. If it
     * was used longer ago, ends the grant and records `oauth.refresh.reused`.
     */
    refresh(request: RefreshRequest): Effect.Effect<IssuedTokens, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/RefreshRotation") {
  static readonly layer = Layer.effect(
    RefreshRotation,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const ends = yield* GrantEnds
      const issuer = yield* Issuer
      const repo = yield* OAuthRefreshTokensRepo
      const tokens = yield* OAuthTokenIssuer
      const transaction = yield* Transaction

      /** Returns the successor of the presented token, or undefined if a concurrent request has rotated the token first. */
      const rotate = Effect.fnUntraced(function* (found: StoredRefreshToken, { client, refreshToken }: RefreshRequest) {
        const now = yield* DateTime.now
        const decision = decideRefresh(found.token, now)
        if (decision._tag === "expired") return yield* oauthRefused("refresh_token_expired")
        if (decision._tag === "reused") {
          yield* ends.end(found.grant, "oauth.refresh.reused")
          return yield* oauthRefused("refresh_token_reused")
        }
        const salt = decision._tag === "repeat" ? decision.salt : newSalt(entropy)
        const successor = successorOf(refreshToken, salt, found.grant, client, now)
        if (decision._tag === "repeat") return successor
        return (yield* transaction.runSingle(repo.rotate(found.token, salt, successor.stored, now)))
          ? successor
          : undefined
      })

      const find = Effect.fnUntraced(function* ({ client, refreshToken, jkt }: RefreshRequest) {
        const realm = yield* CurrentRealm
        if (!isOAuthSecret("refreshToken", refreshToken)) return yield* oauthRefused("refresh_token_unknown")
        const now = yield* DateTime.now
        const found = yield* repo.find(realm.id, sha256Text(refreshToken), now)
        if (found === undefined) return yield* oauthRefused("refresh_token_unknown")
        const problem = grantProblem({ ...found, realm, client }, now)
        if (problem !== undefined) return yield* oauthRefused(problem)
        if (found.grant.jkt !== null && found.grant.jkt !== jkt) return yield* oauthRefused("proof_key_mismatch")
        return found
      })

      const refresh = Effect.fn("RefreshRotation.refresh")(function* (request: RefreshRequest) {
        const { id: realmId } = yield* CurrentRealm
        const { client, jkt } = request
        const found = yield* find(request)
        const granted = grantedAccess(issuer.of(realmId), client, found.grant, request)
        if (granted instanceof OAuthRefused) return yield* granted
        // If a concurrent request was faster, the second attempt reads its salt.
        const successor = (yield* rotate(found, request)) ?? (yield* rotate(yield* find(request), request))
        if (successor === undefined) return yield* oauthRefused("refresh_token_unknown")
        return yield* tokens.issue({
          ...granted,
          client,
          owner: { ...found, grant: withinClientLimits(found.grant, client) },
          jkt,
          nonce: null,
          refreshToken: successor.token
        })
      })

      return RefreshRotation.of({ refresh })
    })
  )
}
