import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { RealmId } from "#domain/Ids"
import { MAX_EXPANDED } from "#domain/Membership"
import { type ClaimsSubject, containsOrgs } from "#domain/oauth/OAuthClaims"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import { ACCESS_TOKEN_TYPE, ID_TOKEN_TYPE } from "#domain/oauth/OAuthToken"
import { accessTokenClaims, accessTokenSeconds, idTokenClaims } from "#domain/oauth/OAuthTokenClaims"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { type User, visibleUser } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256 } from "#platform/Tokens"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { BoundedJwts } from "../keys/BoundedJwts.ts"
import { Issuer } from "../keys/Issuer.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import type { IssuedTokens, TokenGrant } from "./IssuedTokens.ts"

/** A grant and its user, for which tokens are issued. */
export interface TokenOwner {
  readonly grant: OAuthGrant
  readonly user: User
}

/** The tokens to issue. `jkt` is the thumbprint of the key to which the access token is bound. */
export interface NewTokens extends TokenGrant {
  readonly client: OAuthClient
  /** The grant and its user, or null if the client acts for itself. */
  readonly owner: TokenOwner | null
  readonly jkt: string | null
  readonly nonce: string | null
  readonly refreshToken: string | null
}

/** Returns the left half of a token's SHA-256 digest, as used in ID tokens (OpenID Connect Core §3.1.3.6). */
const halfHash = (token: string): string => Buffer.from(sha256(token)).subarray(0, 16).toString("base64url")

/** Issues access and ID tokens. */
export class OAuthTokenIssuer extends Context.Service<
  OAuthTokenIssuer,
  {
    /** Signs the tokens. Reads the user's memberships only if a token contains them. */
    issue(tokens: NewTokens): Effect.Effect<IssuedTokens, never, CurrentRealm>
    /** Returns the subject of a grant's claims. `scopes` are the scopes of the token. */
    subject(owner: TokenOwner, scopes: ReadonlyArray<string>): Effect.Effect<ClaimsSubject, never, CurrentRealm>
  }
>()("sallyport/core/OAuthTokenIssuer") {
  static readonly layer = Layer.effect(
    OAuthTokenIssuer,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const issuer = yield* Issuer
      const keys = yield* KeyRing
      const bounded = yield* BoundedJwts
      const memberships = yield* MembershipsRepo

      const signed = (realmId: RealmId, claims: Claims, type: string) =>
        Effect.flatMap(keys.signRs256(realmId, claims, type), (token) =>
          token === undefined ? Effect.die(new Error(`Realm ${realmId} has no rs256 key.`)) : Effect.succeed(token)
        )

      const sign = (realm: Realm, owner: TokenOwner | null, claims: Claims, type: string) =>
        owner === null
          ? signed(realm.id, claims, type)
          : bounded.sign(realm, { userId: owner.user.id }, claims, (fitting) => signed(realm.id, fitting, type))

      const membershipsOf = (realm: Realm, { grant, user }: TokenOwner) =>
        Effect.flatMap(DateTime.now, (now) =>
          memberships.ofUser(realm.id, user.id, now, { orgId: grant.orgId ?? undefined, atMost: MAX_EXPANDED })
        )

      const subject = Effect.fnUntraced(function* (owner: TokenOwner, scopes: ReadonlyArray<string>) {
        const realm = yield* CurrentRealm
        const withOrgs = containsOrgs(owner.grant, scopes)
        return {
          user: visibleUser(realm, owner.user),
          memberships: withOrgs ? yield* membershipsOf(realm, owner) : [],
          orgId: owner.grant.orgId
        }
      })

      const issue = Effect.fn("OAuthTokenIssuer.issue")(function* (tokens: NewTokens) {
        const realm = yield* CurrentRealm
        const { client, owner, scopes, audience, jkt, nonce, refreshToken } = tokens
        const commonClaims = { issuer: issuer.of(realm.id), client, issuedAt: yield* DateTime.now }
        const about = owner === null ? null : yield* subject(owner, scopes)
        const id = randomSecret(entropy, 16)
        const grant = owner?.grant ?? null
        const access = accessTokenClaims({ ...commonClaims, id, grant, subject: about, audience, scopes, jkt })
        const accessToken = yield* sign(realm, owner, access, ACCESS_TOKEN_TYPE)
        const hasIdToken = grant !== null && about !== null && scopes.includes("openid")
        const idToken = hasIdToken
          ? yield* sign(
              realm,
              owner,
              idTokenClaims({
                ...commonClaims,
                grant,
                subject: about,
                scopes,
                nonce,
                accessTokenHash: halfHash(accessToken)
              }),
              ID_TOKEN_TYPE
            )
          : null
        return {
          accessToken,
          tokenType: jkt === null ? ("Bearer" as const) : ("DPoP" as const),
          expiresIn: accessTokenSeconds(client),
          scopes,
          idToken,
          refreshToken
        }
      })

      return OAuthTokenIssuer.of({ issue, subject })
    })
  )
}
