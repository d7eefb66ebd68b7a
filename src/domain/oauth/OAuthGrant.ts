import { Data, type DateTime } from "effect"
import type { Authentication } from "../Authentication.ts"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { AppId, GrantId, OrgId, RealmId, UserId } from "../Ids.ts"

/** A user's authorization of a client. All tokens that result from one authorization belong to its grant. */
export interface OAuthGrant {
  readonly id: GrantId
  readonly realmId: RealmId
  readonly clientId: AppId
  readonly userId: UserId
  /**
   * The session in which the grant was given. The grant ends with the session, unless it has `offline_access`. Null: no
   * session.
   */
  readonly sid: string | null
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** The only org whose membership the tokens contain. Null: all memberships. */
  readonly orgId: OrgId | null
  /** The `claims` parameter of the authorization request, as JSON (OpenID Connect Core §5.5). */
  readonly claims: string | null
  /** The thumbprint of the DPoP key that the refresh tokens are bound to (RFC 9449). */
  readonly jkt: string | null
  /** How the user logged in. Null if unknown. */
  readonly authentication: Authentication | null
  readonly createdAt: DateTime.Utc
  /** When tokens were last issued for the grant. */
  readonly lastUsedAt: DateTime.Utc
  /** When the last of its tokens expires. */
  readonly expiresAt: DateTime.Utc
  readonly endedAt: DateTime.Utc | null
}

/** A grant as far as its client may use it now: without scopes and resource servers that were removed from the client since. */
export const withinClientLimits = <Granted extends Pick<OAuthGrant, "scopes" | "resources">>(
  grant: Granted,
  { allowedScopes, resources }: Pick<OAuthClient, "allowedScopes" | "resources">
): Granted => ({
  ...grant,
  scopes: grant.scopes.filter((scope) => allowedScopes.includes(scope)),
  resources: grant.resources.filter((resource) => resources.includes(resource))
})

type ClientReach = Pick<OAuthClient, "grantTypes" | "redirectUris">

/**
 * Whether a change of a client revokes what users have granted it: it lost a grant type, or all of the redirect URIs at which
 * it received tokens (C273).
 */
export const revokesGrants = (before: ClientReach, after: ClientReach): boolean =>
  before.grantTypes.some((type) => !after.grantTypes.includes(type)) ||
  (before.redirectUris.length > 0 && !before.redirectUris.some((uri) => after.redirectUris.includes(uri)))

/** A grant as lists show it. */
export interface ListedGrant extends OAuthGrant {
  /** Whether its tokens work, as far as the grant and its session are concerned. */
  readonly isActive: boolean
}

export class OAuthGrantNotFound extends Data.TaggedError("OAuthGrantNotFound")<{ readonly id: string }> {}
