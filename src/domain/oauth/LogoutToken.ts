import type { DateTime } from "effect"
import type { Claims } from "../Claims.ts"

/** The `typ` of logout tokens, which no other token has (OpenID Connect Back-Channel Logout). */
export const LOGOUT_TOKEN_TYPE = "logout+jwt"

/** The event that a logout token reports. */
export const BACKCHANNEL_LOGOUT = "http://schemas.openid.net/event/backchannel-logout"

/** How long a logout token is valid, in seconds. Each delivery attempt creates a new one. */
const LOGOUT_TOKEN_SECONDS = 120

/** The content of a logout token, and its recipient. */
export interface LogoutSubject {
  readonly issuer: string
  readonly clientId: string
  readonly userId: string
  readonly sid: string
  /** The unique id of the token. */
  readonly jti: string
  readonly at: DateTime.Utc
}

/** The claims of a logout token. It has no `nonce`, so that it is never mistaken for an ID token. */
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
