import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { type AccessToken, accessTokenOf } from "#domain/oauth/AccessToken"
import { grantProblem } from "#domain/oauth/GrantValidity"
import { withinClientLimits } from "#domain/oauth/OAuthGrant"
import { CurrentRealm } from "#domain/Realm"
import { OAuthGrantsRepo } from "#store/oauth/OAuthGrantsRepo"
import { OAuthRevokedTokensRepo } from "#store/oauth/OAuthRevokedTokensRepo"
import { Issuer } from "../keys/Issuer.ts"
import { SignedJwts } from "../keys/SignedJwts.ts"
import { ActiveClients } from "./ActiveClients.ts"
import type { TokenOwner } from "./OAuthTokenIssuer.ts"

/** A valid access token. `owner` is null if the client acts for itself. */
export interface LiveAccessToken {
  /** The token, reduced to the scopes that its client may still use. */
  readonly token: AccessToken
  readonly client: OAuthClient
  readonly owner: TokenOwner | null
}

/** Reads access tokens of the current realm. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /**
     * Reads an access token. Returns undefined if its signature is invalid or it has expired. Doesn't check its grant, user,
     * client or session.
     */
    read(token: string): Effect.Effect<AccessToken | undefined, never, CurrentRealm>
    /**
     * Reads an access token. Returns undefined unless it is valid: not revoked, for resource servers that its client may still
     * use, and with an active grant, user, client, realm and session (SEC-152).
     */
    live(token: string): Effect.Effect<LiveAccessToken | undefined, never, CurrentRealm>
  }
>()("sallyport/core/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const clients = yield* ActiveClients
      const grants = yield* OAuthGrantsRepo
      const issuer = yield* Issuer
      const revoked = yield* OAuthRevokedTokensRepo
      const signatures = yield* SignedJwts

      const read = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = yield* Effect.catch(signatures.verify(token), () => Effect.succeed(undefined))
        return found === undefined ? undefined : accessTokenOf(found, issuer.of(realm.id), now)
      })

      const live = Effect.fn("AccessTokens.live")(function* (text: string) {
        const realm = yield* CurrentRealm
        const signed = yield* read(text)
        if (signed === undefined || realm.state !== "active") return undefined
        const client = yield* Effect.catch(clients.find(signed.clientId), () => Effect.succeed(undefined))
        if (client === undefined) return undefined
        const { scopes, resources } = withinClientLimits({ scopes: signed.scopes, resources: signed.audience }, client)
        const token = { ...signed, scopes }
        if (token.audience.some((one) => one !== issuer.of(realm.id) && !resources.includes(one))) return undefined
        if (token.grantId === null) {
          return (yield* revoked.isRevoked(realm.id, token.id)) ? undefined : { token, client, owner: null }
        }
        const now = yield* DateTime.now
        const found = yield* grants.find(realm.id, token.grantId, token.id, now)
        if (found === undefined || grantProblem({ ...found, realm, client }, now) !== undefined) return undefined
        return { token, client, owner: { ...found, grant: withinClientLimits(found.grant, client) } }
      })

      return AccessTokens.of({ read, live })
    })
  )
}
