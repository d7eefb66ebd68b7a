// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { LoginRetry } from "./LoginRetry.ts"

/** A token. */
export interface Token {
  /** The type of the object: always `token`. */
  readonly object: "token"
  /**
   * The token, good once: `tmf:` completes a login with a code, for 10 minutes; `tpw:` sets a new password, for 60
   * minutes; `tve:` and `tue:` verify an e-mail or a new one, for 24 hours; `tec:` logs in with a code by mail, for 10
   * minutes.
   */
  readonly token: string
  /**
   * Only if the user has to set up a second factor first. Show the QR code to the user, and complete the login with the
   * token and the first code of the app, or with a new passkey: it is the user's from then on. A login that is given up
   * sets up nothing.
   */
  readonly retry?: LoginRetry
}
