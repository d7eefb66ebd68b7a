import type { DateTime } from "effect"
import type { Claims } from "../Claims.ts"
import { loginClaims } from "../Claims.ts"
import { clientIdOf, type OAuthClient } from "../clients/OAuthClient.ts"
import { accessTokenUserClaims, type ClaimsSubject, idTokenUserClaims } from "./OAuthClaims.ts"
import type { OAuthGrant } from "./OAuthGrant.ts"
import { ID_TOKEN_SECONDS } from "./OAuthToken.ts"

/** The data needed for every token of an OAuth client. */
interface TokenParts {
  readonly issuer: string
  readonly client: OAuthClient
  readonly issuedAt: DateTime.Utc
}

/** The data needed for an access token. `grant` and `subject` are null if the client acts on its own behalf. */
export interface AccessTokenParts extends TokenParts {
  readonly id: string
  readonly grant: OAuthGrant | null
  readonly subject: ClaimsSubject | null
  readonly audience: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
  /** The thumbprint of the key that the token is bound to, or null (RFC 9449 §6.1). */
  readonly jkt: string | null
}

export interface IdTokenParts extends TokenParts {
  readonly grant: OAuthGrant
  readonly subject: ClaimsSubject
  /** The scopes of the access token, which may be fewer than were granted. */
  readonly scopes: ReadonlyArray<string>
  readonly nonce: string | null
  /** The left half of the access token's digest (OpenID Connect Core §3.1.3.6). */
  readonly accessTokenHash: string
}

const seconds = ({ epochMilliseconds }: DateTime.Utc): number => Math.floor(epochMilliseconds / 1000)

const oneOrAll = (values: ReadonlyArray<string>) => (values.length === 1 ? values[0] : values)

/** The lifetime of a client's access tokens, in seconds. */
export const accessTokenSeconds = ({ accessTokenMinutes }: Pick<OAuthClient, "accessTokenMinutes">): number =>
  accessTokenMinutes * 60

/** The claims of an access token (RFC 9068 §2.2). If a client acts on its own behalf, it is the subject. */
export const accessTokenClaims = (parts: AccessTokenParts): Claims => {
  const { client, grant, subject, audience, scopes, jkt } = parts
  const iat = seconds(parts.issuedAt)
  return {
    iss: parts.issuer,
    sub: subject?.user.id ?? clientIdOf(client),
    aud: oneOrAll(audience),
    client_id: clientIdOf(client),
    jti: parts.id,
    iat,
    exp: iat + accessTokenSeconds(client),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(grant === null ? {} : { grant: grant.id }),
    ...(grant === null || grant.sid === null ? {} : { sid: grant.sid }),
    ...(subject === null ? {} : accessTokenUserClaims(subject, scopes, grant?.authentication ?? null)),
    ...(jkt === null ? {} : { cnf: { jkt } })
  }
}

/** The claims of an ID token (OpenID Connect Core §2). */
export const idTokenClaims = (parts: IdTokenParts): Claims => {
  const { client, grant, subject, scopes, nonce, accessTokenHash } = parts
  const iat = seconds(parts.issuedAt)
  return {
    iss: parts.issuer,
    sub: subject.user.id,
    aud: clientIdOf(client),
    azp: clientIdOf(client),
    iat,
    exp: iat + ID_TOKEN_SECONDS,
    at_hash: accessTokenHash,
    ...(nonce === null ? {} : { nonce }),
    ...(grant.sid === null ? {} : { sid: grant.sid }),
    ...(grant.authentication === null ? {} : loginClaims(grant.authentication)),
    ...idTokenUserClaims(subject, grant, client, scopes)
  }
}
