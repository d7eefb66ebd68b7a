// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/**
 * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
 * used to decide anything.
 */
export interface RequestInput {
  /** The IP address of the person who acts. Default: null. */
  readonly ip?: string | null | undefined
  /** The software that this person uses, such as a user agent. Default: null. */
  readonly client?: string | null | undefined
}
