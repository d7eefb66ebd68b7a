import type { OAuthClient } from "#domain/clients/OAuthClient"
import { narrowScopes, parseScopes } from "#domain/clients/OAuthScope"
import { audienceOf } from "#domain/oauth/OAuthAudience"
import { type OAuthGrant, withinClientLimits } from "#domain/oauth/OAuthGrant"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"

/** The token endpoint's response to a client (RFC 6749 §5.1). */
export interface IssuedTokens {
  readonly accessToken: string
  readonly tokenType: "Bearer" | "DPoP"
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<string>
  readonly idToken: string | null
  readonly refreshToken: string | null
}

/** The scopes and resources requested by a token request. */
export interface TokenRequest {
  /** The `scope` parameter. */
  readonly scope: string | undefined
  /** The `resource` parameters. */
  readonly resources: ReadonlyArray<string>
}

/** The scopes and audience of an access token. */
export interface TokenGrant {
  readonly scopes: ReadonlyArray<string>
  readonly audience: ReadonlyArray<string>
}

/**
 * Returns the requested scopes and audience if the client may still use them, or else the reason for the rejection. Call it
 * before a code or refresh token is used up.
 */
export const grantedAccess = (
  issuer: string,
  client: Pick<OAuthClient, "allowedScopes" | "resources">,
  granted: Pick<OAuthGrant, "scopes" | "resources">,
  { scope, resources }: TokenRequest
): TokenGrant | OAuthRefused => {
  const left = withinClientLimits(granted, client)
  const requestedScopes = scope === undefined ? [] : parseScopes(scope)
  if (requestedScopes === undefined) return oauthRefused("scope_malformed")
  if (granted.scopes.length > 0 && left.scopes.length === 0) return oauthRefused("scope_not_allowed", granted.scopes[0])
  const scopes = narrowScopes(left.scopes, requestedScopes)
  if (scopes === undefined) {
    const wrong = requestedScopes.find((one) => !left.scopes.includes(one))
    return oauthRefused(client.allowedScopes.includes(wrong ?? "") ? "scope_not_granted" : "scope_not_allowed", wrong)
  }
  // A grant that is limited to resource servers must not result in tokens for the realm.
  if (granted.resources.length > 0 && left.resources.length === 0 && resources.length === 0)
    return oauthRefused("resource_not_allowed", granted.resources[0])
  const audience = audienceOf({ issuer, allowed: left.resources, requested: resources })
  if (audience !== undefined) return { scopes, audience }
  const wrong = resources.find((one) => one !== issuer && !left.resources.includes(one))
  return oauthRefused("resource_not_allowed", wrong)
}
