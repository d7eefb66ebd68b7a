// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A grant. */
export interface Grant {
  /** The grant's ID, which begins with `gr_`. Its access tokens contain it in the claim `grant`. */
  readonly id: string
  /** The type of the object: always `grant`. */
  readonly object: "grant"
  /** `ended`: it was revoked, or ended with its session or otherwise; its tokens no longer work. */
  readonly state: "active" | "ended"
  /** The ID of the user. */
  readonly user_id: string
  /**
   * The ID of the session in which the grant was given; null if there was none. Without the scope `offline_access`, the
   * grant ends with that session.
   */
  readonly session_id: string | null
  /** The scopes that its tokens can have. */
  readonly scopes: ReadonlyArray<string>
  /** The resource servers that its access tokens can be for, as URLs. */
  readonly resources: ReadonlyArray<string>
  /** The ID of the only org whose membership its tokens contain; null for all memberships. */
  readonly org_id: string | null
  /** Unix time in seconds, with up to three decimals, at which the grant was given. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which tokens were last issued for the grant. */
  readonly last_used_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which the last of its tokens expires. After that, the grant is
   * no longer listed.
   */
  readonly expires_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which the grant was ended; null if it has not ended, or if only
   * its session has expired.
   */
  readonly ended_at: number | null
  /** The ID of the OAuth client, which is a connected app. */
  readonly client_app_id: string
}
