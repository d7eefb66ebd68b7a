// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/**
 * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
 * for decisions.
 */
export interface RequestInput {
  /** The IP address of the person that you act for. Default: null. */
  readonly ip?: string | null | undefined
  /** The person's software, usually a user agent. Default: null. */
  readonly client?: string | null | undefined
}
