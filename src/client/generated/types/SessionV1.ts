// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { RequestAttributes } from "./RequestAttributes.ts"
import type { SessionUserV1 } from "./SessionUserV1.ts"

/** A session, as version 1 of the API shows it. */
export interface SessionV1 {
  /** The session's ID, which begins with `kss_`. */
  readonly id: string
  /** The type of the object: always `session`. */
  readonly object: "session"
  /** The ID of the user who is logged in. */
  readonly user_id: string
  /** Unix time in seconds, with up to three decimals, at which the session began. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which the session and its token expire; null if never. */
  readonly expires_at: number | null
  /**
   * Unix time in whole seconds at which the user logged in, or last confirmed the login on request; null if an API key
   * created the session. Also the claim `auth_time` of its tokens.
   */
  readonly auth_time: number | null
  /**
   * The methods by which the user logged in, as defined in RFC 8176: `pwd` for a password, `otp` for a code from an
   * app, an email or a list of recovery codes, `hwk` for a passkey of one device, `swk` for a synced passkey, `fed` for
   * another provider, and `mfa` if two factors were used. Empty if `auth_time` is null. Also the claim `amr` of its
   * tokens.
   */
  readonly amr: ReadonlyArray<string>
  /**
   * The assurance level of the login: `aal1` for one factor, `aal2` for two; null if `auth_time` is null. Also the
   * claim `acr` of its tokens.
   */
  readonly acr: "aal1" | "aal2" | null
  /**
   * Unix time in seconds, with up to three decimals, at which the service last checked the session, to the minute; null
   * if never. Apps that verify tokens locally don't update it.
   */
  readonly last_seen_at: number | null
  /** The request attributes sent when the session was created; null if there were none. */
  readonly request: RequestAttributes | null
  /**
   * The login token: a JWT that your app can verify locally. Null for keys below level `write` if the realm's
   * `session_tokens` is `write`. Only for a new session or with `expand=token`.
   */
  readonly token?: string | null
  /** The user who is logged in. */
  readonly user: SessionUserV1
}
