import { Data, type DateTime } from "effect"
import type { Authentication } from "../Authentication.ts"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { AppId, GrantId, OrgId, RealmId, UserId } from "../Ids.ts"

/** A user's authorization of a client. All tokens issued because of it belong to the grant. */
export interface OAuthGrant {
  readonly id: GrantId
  readonly realmId: RealmId
  readonly clientId: AppId
  readonly userId: UserId
  /**
   * The id of the session in which the grant was given, or null if there was none. The grant ends with the session, unless
   * it has `offline_access`.
   */
  readonly sid: string | null
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** The only org whose membership the tokens include, or null for all memberships. */
  readonly orgId: OrgId | null
  /** The `claims` parameter of the authorization request, as JSON (OpenID Connect Core §5.5). */
  readonly claims: string | null
  /** The thumbprint of the DPoP key that the refresh tokens are bound to, or null (RFC 9449). */
  readonly jkt: string | null
  /** How the user logged in, or null if unknown. */
  readonly authentication: Authentication | null
  readonly createdAt: DateTime.Utc
  /** When tokens were last issued for the grant. */
  readonly lastUsedAt: DateTime.Utc
  /** When the grant's last token expires. */
  readonly expiresAt: DateTime.Utc
  readonly endedAt: DateTime.Utc | null
}

/** Limits a grant to the scopes and resource servers that its client may still use. */
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
 * Returns whether a change to a client revokes its grants. It does if the client loses a grant type or all the redirect
 * URIs where it received tokens (C273).
 */
export const revokesGrants = (before: ClientReach, after: ClientReach): boolean =>
  before.grantTypes.some((type) => !after.grantTypes.includes(type)) ||
  (before.redirectUris.length > 0 && !before.redirectUris.some((uri) => after.redirectUris.includes(uri)))

/** A grant as shown in lists. */
export interface ListedGrant extends OAuthGrant {
  /** Whether the grant's tokens work, considering only the grant and its session. */
  readonly isActive: boolean
}

export class OAuthGrantNotFound extends Data.TaggedError("OAuthGrantNotFound")<{ readonly id: string }> {}
