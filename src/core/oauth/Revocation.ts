import { Context, DateTime, Effect, Layer } from "effect"
import { clientIdOf, type OAuthClient } from "#domain/clients/OAuthClient"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { isOAuthSecret } from "#domain/oauth/OAuthToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { sha256Text } from "#platform/Tokens"
import { OAuthRefreshTokensRepo } from "#store/oauth/OAuthRefreshTokensRepo"
import { OAuthRevokedTokensRepo } from "#store/oauth/OAuthRevokedTokensRepo"
import { Journal } from "../events/Journal.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { GrantEnds } from "./GrantEnds.ts"

/** Revokes tokens at the request of the clients to which they were issued (RFC 7009). */
export class Revocation extends Context.Service<
  Revocation,
  {
    /**
     * Revokes an access token, or the whole grant of a refresh token, and records `oauth.token.revoked`. Does nothing if the
     * token is unknown or has expired.
     */
    revoke(client: OAuthClient, token: string): Effect.Effect<void, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Revocation") {
  static readonly layer = Layer.effect(
    Revocation,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const ends = yield* GrantEnds
      const journal = yield* Journal
      const refreshTokens = yield* OAuthRefreshTokensRepo
      const revoked = yield* OAuthRevokedTokensRepo

      const revokeRefreshToken = Effect.fnUntraced(function* (client: OAuthClient, token: string) {
        const { id: realmId } = yield* CurrentRealm
        const found = yield* refreshTokens.find(realmId, sha256Text(token), yield* DateTime.now)
        if (found === undefined) return
        if (found.grant.clientId !== client.id) return yield* oauthRefused("token_of_another")
        yield* ends.end(found.grant, "oauth.token.revoked")
      })

      const revokeAccessToken = Effect.fnUntraced(function* (client: OAuthClient, text: string) {
        const token = yield* accessTokens.read(text)
        if (token === undefined) return
        if (token.clientId !== clientIdOf(client)) return yield* oauthRefused("token_of_another")
        const { id: realmId } = yield* CurrentRealm
        if (yield* revoked.isRevoked(realmId, token.id)) return
        // Also revoke tokens that are not valid at the moment, because a realm or user may be reactivated.
        const user = token.grantId === null ? {} : { userId: token.subject }
        yield* journal.write([
          {
            writes: [revoked.insertion(token.id, DateTime.makeUnsafe(token.expiresAt * 1_000))],
            events: [{ eventType: "oauth.token.revoked", appId: client.id, ...user }]
          }
        ])
      })

      const revoke = Effect.fn("Revocation.revoke")(function* (client: OAuthClient, token: string) {
        yield* isOAuthSecret("refreshToken", token)
          ? revokeRefreshToken(client, token)
          : revokeAccessToken(client, token)
      })

      return Revocation.of({ revoke })
    })
  )
}
