// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An API key. */
export interface ApiKey {
  /** The API key's ID, which begins with `key_`. */
  readonly id: string
  /** The type of the object: always `api_key`. */
  readonly object: "api_key"
  /** Your name for the key. */
  readonly name: string
  /**
   * The permissions of the key. Each level includes the previous ones: `read`, `write`, `admin_realm` (settings of a
   * realm), `admin_all_realms` (realms themselves).
   */
  readonly level: "read" | "write" | "admin_realm" | "admin_all_realms"
  /** The ID of the realm that the key is locked to; null if it is for all realms. */
  readonly realm_id: string | null
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which the key expires; null if never. */
  readonly expires_at: number | null
  /**
   * Unix time in seconds, with up to three decimals, at which the key was last used, updated at most once a minute;
   * null if never.
   */
  readonly last_used_at: number | null
  /** The API key itself. Only in the response to its creation. */
  readonly key?: string
}
