// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

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
   * token and the first code of the app: it is the user's from then on. A login that is given up sets up nothing.
   */
  readonly retry?: {
    /** Why the login did not succeed yet: the user has no second factor, and the realm's `mfa` requires one. */
    readonly reason: "second_factor_missing"
    /** The secret of a new authenticator app, in Base32, to be typed into it. */
    readonly otp_secret: string
    /** The same secret as an `otpauth:` URI for a QR code: SHA-1, six digits, 30 seconds. */
    readonly provisioning_uri: string
    /** The QR code of that URI, as an SVG image. */
    readonly provisioning_svg: string
  }
}
