// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A grant. */
export interface Grant {
  /** The grant's ID, which begins with `gr_`. Its access tokens have it as the claim `grant`. */
  readonly id: string
  /** The type of the object: always `grant`. */
  readonly object: "grant"
  /** `ended`: it was revoked, or ended with its session or otherwise; its tokens no longer work. */
  readonly state: "active" | "ended"
  /** The ID of the user who gave it. */
  readonly user_id: string
  /**
   * The ID of the session in which it was given; null if none. Without the scope `offline_access`, it ends with that
   * session.
   */
  readonly session_id: string | null
  /** The maximum scopes of its tokens. */
  readonly scopes: ReadonlyArray<string>
  /** The resource servers that its access tokens may be for, as URLs. */
  readonly resources: ReadonlyArray<string>
  /** The ID of the only org whose membership its tokens contain; null for all memberships. */
  readonly org_id: string | null
  /** Unix time in seconds, with up to three decimals, at which it was given. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which tokens were last issued for it. */
  readonly last_used_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which the last of its tokens expires. From then on, it is no
   * longer listed.
   */
  readonly expires_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which it was ended; null if it was not ended, or only its
   * session has expired.
   */
  readonly ended_at: number | null
  /** The ID of the OAuth client, which is a connected app. */
  readonly client_app_id: string
}
