// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A login retry. */
export interface LoginRetry {
  /** The reason why the login is not complete: the user has no second factor, and the realm's `mfa` requires one. */
  readonly reason: "second_factor_missing"
  /** The secret of a new authenticator app in Base32, for manual entry. */
  readonly otp_secret: string
  /** The same secret as an `otpauth:` URI for a QR code: SHA-1, six digits, 30 seconds. */
  readonly provisioning_uri: string
  /** The QR code of that URI, as an SVG image. */
  readonly provisioning_svg: string
  /**
   * Whether a passkey can be created instead of the app, on a page of one of the realm's connected apps. Start with
   * `passkey_options` and the token of the login.
   */
  readonly passkeys: boolean
}
