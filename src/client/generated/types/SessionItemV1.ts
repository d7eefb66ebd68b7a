// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { RequestAttributes } from "./RequestAttributes.ts"

/** A session in a list or within another resource, as version 1 of the API shows it. */
export interface SessionItemV1 {
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
  /** The request attributes that the session began with; null if none. */
  readonly request: RequestAttributes | null
}
