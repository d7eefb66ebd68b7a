// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An ended sessions. */
export interface EndedSessions {
  /** The type of the object: always `ended_sessions`. */
  readonly object: "ended_sessions"
  /** The number of sessions that were ended. */
  readonly sessions: number
}
