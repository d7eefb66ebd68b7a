import { audienceOf } from "#domain/OAuthAudience"
import { type OAuthReason } from "#domain/OAuthProblem"
import { narrowScopes, parseScopes } from "#domain/OAuthScope"

/** What the token endpoint gives a client (RFC 6749 §5.1). */
export interface IssuedTokens {
  readonly accessToken: string
  readonly tokenType: "Bearer" | "DPoP"
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<string>
  readonly idToken: string | null
  readonly refreshToken: string | null
}

/** What a token request asks for. */
export interface TokenDemand {
  /** The `scope` parameter. */
  readonly scope: string | undefined
  /** The `resource` parameters. */
  readonly resources: ReadonlyArray<string>
}

/** What an access token is to be good for. */
export interface TokenReach {
  readonly scopes: ReadonlyArray<string>
  readonly audience: ReadonlyArray<string>
}

/** What is granted of a demand, or why it is refused. To be known before a code or a refresh token is used up. */
export const reachOf = (
  issuer: string,
  granted: { readonly scopes: ReadonlyArray<string>; readonly resources: ReadonlyArray<string> },
  { scope, resources }: TokenDemand
): TokenReach | OAuthReason => {
  const asked = scope === undefined ? [] : parseScopes(scope)
  if (asked === undefined) return "scope_malformed"
  const scopes = narrowScopes(granted.scopes, asked)
  if (scopes === undefined) return "scope_not_granted"
  const audience = audienceOf({ issuer, allowed: granted.resources, asked: resources })
  return audience === undefined ? "resource_not_allowed" : { scopes, audience }
}
