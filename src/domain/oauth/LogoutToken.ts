import type { DateTime } from "effect"
import type { Claims } from "../Claims.ts"

/** The `typ` of logout tokens, which no other token has (OpenID Connect Back-Channel Logout). */
export const LOGOUT_TOKEN_TYPE = "logout+jwt"

/** The event that a logout token tells of. */
export const BACKCHANNEL_LOGOUT = "http://schemas.openid.net/event/backchannel-logout"

/** For how long a logout token is valid, in seconds: each attempt to deliver it makes another. */
const LOGOUT_TOKEN_SECONDS = 120

/** What a logout token tells, and whom. */
export interface LogoutSubject {
  readonly issuer: string
  readonly clientId: string
  readonly userId: string
  readonly sid: string
  /** A text that no other token has. */
  readonly jti: string
  readonly at: DateTime.Utc
}

/** The claims of a logout token. It has no `nonce`, so that it is never taken for an ID token. */
export const logoutClaims = ({ issuer, clientId, userId, sid, jti, at }: LogoutSubject): Claims => {
  const iat = Math.floor(at.epochMilliseconds / 1000)
  return {
    iss: issuer,
    aud: clientId,
    sub: userId,
    sid,
    iat,
    exp: iat + LOGOUT_TOKEN_SECONDS,
    jti,
    events: { [BACKCHANNEL_LOGOUT]: {} }
  }
}
