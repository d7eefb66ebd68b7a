// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/**
 * Who acts, according to the caller. Recorded with the request's events and with a session that it creates. Never used
 * for decisions.
 */
export interface RequestInput {
  /** The IP address of the person who acts. Default: null. */
  readonly ip?: string | null | undefined
  /** The person's software, such as a user agent. Default: null. */
  readonly client?: string | null | undefined
}
