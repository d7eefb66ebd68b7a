import type { DateTime } from "effect"
import type { Claims } from "../Claims.ts"

/** The `typ` of logout tokens. No other token has it (OpenID Connect Back-Channel Logout). */
export const LOGOUT_TOKEN_TYPE = "logout+jwt"

/** The event reported by a logout token. */
export const BACKCHANNEL_LOGOUT = "http://schemas.openid.net/event/backchannel-logout"

/** The lifetime of a logout token, in seconds. Each delivery attempt creates a new token. */
const LOGOUT_TOKEN_SECONDS = 120

/** The content and recipient of a logout token. */
export interface LogoutSubject {
  readonly issuer: string
  readonly clientId: string
  readonly userId: string
  readonly sid: string
  /** The unique id of the token. */
  readonly jti: string
  readonly at: DateTime.Utc
}

/** The claims of a logout token. It has no `nonce`, so that it can never be mistaken for an ID token. */
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
