// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A hosted login failure. */
export interface HostedLoginFailure {
  /** All messages in one string. */
  readonly error: string
  /** The problems, as messages for the user. */
  readonly errors: ReadonlyArray<string>
}
