// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A replay. */
export interface Replay {
  /** The type of the object: always `replay`. */
  readonly object: "replay"
  /** The number of notifications that are resent, or with `dry_run`, would be resent. */
  readonly notifications: number
}
