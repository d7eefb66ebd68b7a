// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { LoginRetry } from "./LoginRetry.ts"

/** A token. */
export interface Token {
  /** The type of the object: always `token`. */
  readonly object: "token"
  /**
   * The token, which works once. `tmf:` completes a login with a code and is valid for 10 minutes. `tpw:` sets a new
   * password and is valid for 60 minutes. `tve:` and `tue:` verify the current or a new email and are valid for 24
   * hours. `tec:` logs in with an emailed code and is valid for 10 minutes.
   */
  readonly token: string
  /**
   * Only if the user must set up a second factor first. Show the QR code to the user, and complete the login with the
   * token and the app's first code, or with a new passkey. The factor is stored when the login completes; an abandoned
   * login stores nothing.
   */
  readonly retry?: LoginRetry
}
