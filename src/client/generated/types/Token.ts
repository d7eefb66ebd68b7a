// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A token. */
export interface Token {
  /** The type of the object: always `token`. */
  readonly object: "token"
  /**
   * The token, good once: `tmf:` completes a login with a code, for 10 minutes; `tpw:` sets a new password, for 60
   * minutes; `tve:` and `tue:` verify an e-mail or a new one, for 24 hours.
   */
  readonly token: string
}
