// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { RequestAttributes } from "./RequestAttributes.ts"
import type { SessionUser } from "./SessionUser.ts"

/** A session. */
export interface Session {
  /** The session's ID, which begins with `kss_`. */
  readonly id: string
  /** The type of the object: always `session`. */
  readonly object: "session"
  /** The ID of the connected app on whose pages the user logged in; null if the session began another way. */
  readonly client_app_id: string | null
  /** Unix time in seconds, with up to three decimals, at which the session began. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which the session and its token expire; null if never. */
  readonly expires_at: number | null
  /** The ID of the user who is logged in. */
  readonly user_id: string
  /** The request attributes that the session began with; null if none. */
  readonly request: RequestAttributes | null
  /**
   * The login token: a JWT that your app can verify by itself. Null below level `write` if the realm's `session_tokens`
   * is `write`.
   */
  readonly token: string | null
  /** The user who is logged in. */
  readonly user: SessionUser
}
