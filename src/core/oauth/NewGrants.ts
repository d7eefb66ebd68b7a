import { Context, DateTime, Effect, Layer } from "effect"
import { isConfidential, type OAuthClient } from "#domain/clients/OAuthClient"
import { grantProblem } from "#domain/oauth/GrantValidity"
import { type OAuthGrant, withinClientLimits } from "#domain/oauth/OAuthGrant"
import { OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { accessTokenSeconds } from "#domain/oauth/OAuthTokenClaims"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { OAuthGrantsRepo } from "#store/oauth/OAuthGrantsRepo"
import { OAuthRefreshTokensRepo } from "#store/oauth/OAuthRefreshTokensRepo"
import { OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import type { Guard, Write } from "#store/statements/Writes"
import { Journal } from "../events/Journal.ts"
import { Issuer } from "../keys/Issuer.ts"
import { grantEvent } from "./GrantEnds.ts"
import { grantedAccess, type IssuedTokens } from "./IssuedTokens.ts"
import { OAuthTokenIssuer } from "./OAuthTokenIssuer.ts"
import { firstRefreshToken } from "./RefreshTokens.ts"

/** The permissions that a user has given a client, before the grant is created. */
type UnissuedGrant = Pick<
  OAuthGrant,
  "id" | "realmId" | "clientId" | "userId" | "sid" | "scopes" | "resources" | "orgId" | "claims" | "authentication"
>

/** The exchange of a code for a grant. */
export interface Redemption<Row extends object, A> {
  readonly client: OAuthClient
  readonly user: User
  readonly allowed: UnissuedGrant
  /** The thumbprint of the key that signed the request's DPoP proof, if any. */
  readonly jkt: string | null
  readonly nonce: string | null
  /** The `resource` parameters of the request. */
  readonly resources: ReadonlyArray<string>
  /** Finds the code, if it can be redeemed. `write` uses it up. */
  readonly guard: Guard<Row, A>
  readonly write: Write
}

const grantOf = (allowed: UnissuedGrant, client: OAuthClient, jkt: string | null, now: DateTime.Utc): OAuthGrant => {
  const { id, realmId, clientId, userId, sid, scopes, resources, orgId, claims, authentication } = allowed
  const lifetime = client.grantTypes.includes("refresh_token")
    ? { days: client.refreshTokenDays }
    : { seconds: accessTokenSeconds(client) }
  // A client that can't keep a secret is identified only by its key (RFC 9449 §5).
  const key = isConfidential(client) ? null : jkt
  const times = { createdAt: now, lastUsedAt: now, expiresAt: DateTime.add(now, lifetime), endedAt: null }
  return { id, realmId, clientId, userId, sid, scopes, resources, orgId, claims, authentication, jkt: key, ...times }
}

/** Creates grants from codes. */
export class NewGrants extends Context.Service<
  NewGrants,
  {
    /**
     * Creates a grant with its first tokens and records `oauth.grant.created`, in the statement that uses up the code. If the
     * code can't be redeemed, creates nothing and returns undefined.
     */
    redeem<Row extends object, A>(
      redemption: Redemption<Row, A>
    ): Effect.Effect<IssuedTokens | undefined, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/NewGrants") {
  static readonly layer = Layer.effect(
    NewGrants,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const grants = yield* OAuthGrantsRepo
      const issuer = yield* Issuer
      const journal = yield* Journal
      const refreshTokens = yield* OAuthRefreshTokensRepo
      const registrations = yield* OAuthRegistrationsRepo
      const tokens = yield* OAuthTokenIssuer

      const redeem = Effect.fn("NewGrants.redeem")(function* <Row extends object, A>(redemption: Redemption<Row, A>) {
        const realm = yield* CurrentRealm
        const { client, user, allowed, jkt, nonce, resources, guard, write } = redemption
        const now = yield* DateTime.now
        const grant = grantOf(allowed, client, jkt, now)
        const problem = grantProblem({ realm, client, grant, user, hasSession: true }, now)
        if (problem !== undefined) return yield* oauthRefused(problem)
        const granted = grantedAccess(issuer.of(realm.id), client, grant, { scope: undefined, resources })
        if (granted instanceof OAuthRefused) return yield* granted
        const refresh = client.grantTypes.includes("refresh_token")
          ? firstRefreshToken(entropy, grant, client, now)
          : undefined
        const stored = refresh === undefined ? [] : [refreshTokens.insertion(refresh.stored)]
        const isUnused = (client.registration?.unusedUntil ?? null) !== null
        const used = isUnused ? [registrations.recordUse(client)] : []
        const writes = [write, grants.insertion(grant), ...stored, ...used]
        const redeemed = yield* journal.writeIf(guard, [{ writes, events: [grantEvent("oauth.grant.created", grant)] }])
        if (redeemed === undefined) return undefined
        const refreshToken = refresh?.token ?? null
        return yield* tokens.issue({
          ...granted,
          client,
          owner: { grant: withinClientLimits(grant, client), user },
          jkt,
          nonce,
          refreshToken
        })
      })

      return NewGrants.of({ redeem })
    })
  )
}
