import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { clientIdOf, type OAuthClient } from "#domain/clients/OAuthClient"
import { endsWithSession, grantProblem } from "#domain/oauth/GrantValidity"
import { accessTokenUserClaims } from "#domain/oauth/OAuthClaims"
import { withinClientLimits } from "#domain/oauth/OAuthGrant"
import { isOAuthSecret } from "#domain/oauth/OAuthToken"
import { CurrentRealm } from "#domain/Realm"
import { sha256Text } from "#platform/Tokens"
import { OAuthRefreshTokensRepo } from "#store/oauth/OAuthRefreshTokensRepo"
import { Issuer } from "../keys/Issuer.ts"
import { AccessTokens, type LiveAccessToken } from "./AccessTokens.ts"
import { OAuthTokenIssuer } from "./OAuthTokenIssuer.ts"

/** Describes tokens to clients and resource servers (RFC 7662). */
export class Introspection extends Context.Service<
  Introspection,
  {
    /**
     * Returns the claims of a valid token that was issued to the client or for its resource server, with the user's current
     * memberships (SEC-246). Returns undefined in all other cases, without revealing the reason (SEC-158).
     */
    introspect(client: OAuthClient, token: string): Effect.Effect<Claims | undefined, never, CurrentRealm>
  }
>()("sallyport/core/Introspection") {
  static readonly layer = Layer.effect(
    Introspection,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const issuer = yield* Issuer
      const repo = yield* OAuthRefreshTokensRepo
      const tokens = yield* OAuthTokenIssuer

      const ofRefreshToken = Effect.fnUntraced(function* (client: OAuthClient, text: string) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = yield* repo.find(realm.id, sha256Text(text), now)
        if (found === undefined || grantProblem({ ...found, realm, client }, now) !== undefined) return undefined
        const { token } = found
        const grant = withinClientLimits(found.grant, client)
        if (token.usedAt !== null || DateTime.isLessThanOrEqualTo(token.expiresAt, now)) return undefined
        return {
          active: true,
          iss: issuer.of(realm.id),
          sub: grant.userId,
          client_id: clientIdOf(client),
          scope: grant.scopes.join(" "),
          iat: Math.floor(token.createdAt.epochMilliseconds / 1_000),
          exp: Math.floor(token.expiresAt.epochMilliseconds / 1_000),
          ...(grant.sid === null || !endsWithSession(grant) ? {} : { sid: grant.sid }),
          ...(grant.jkt === null ? {} : { cnf: { jkt: grant.jkt } })
        }
      })

      const introspect = Effect.fn("Introspection.introspect")(function* (client: OAuthClient, token: string) {
        if (isOAuthSecret("refreshToken", token)) return yield* ofRefreshToken(client, token)
        const found = yield* accessTokens.live(token)
        if (found === undefined || !concerns(client, found)) return undefined
        const { owner } = found
        const { claims: signed, scopes, jkt } = found.token
        // Omit the memberships in the token, and the flag that some were left out, because they may be outdated.
        const { scope: _scope, orgs: _orgs, ar: _left, ...claims } = signed
        const scope = scopes.length === 0 ? {} : { scope: scopes.join(" ") }
        const hasOrgs = owner !== null && scopes.includes("orgs")
        const current = hasOrgs ? accessTokenUserClaims(yield* tokens.subject(owner, scopes), scopes, null) : {}
        return { active: true, token_type: jkt === null ? "Bearer" : "DPoP", ...claims, ...scope, ...current }
      })

      return Introspection.of({ introspect })
    })
  )
}

/** Returns whether a token was issued to the client, or is for a resource server that a machine client represents (C173). */
const concerns = (client: OAuthClient, { token }: LiveAccessToken): boolean =>
  token.clientId === clientIdOf(client) ||
  (client.clientType === "machine" && token.audience.some((resource) => client.resources.includes(resource)))
