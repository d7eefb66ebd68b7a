// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A credential. */
export interface Credential {
  /** The credential's ID, which begins with `crd_`. */
  readonly id: string
  /** The type of the object: always `credential`. */
  readonly object: "credential"
  /**
   * The type of the credential: `password`, `totp` (authenticator app), `passkey`, `recovery_codes`, `api_key`, or the
   * type of the provider where the user logs in. Determines which members are present.
   */
  readonly credential_type:
    | "api_key"
    | "password"
    | "totp"
    | "passkey"
    | "recovery_codes"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "oauth2"
    | "oidc"
    | "slack"
    | "yahoo"
    | (string & {})
  /** The user's ID. */
  readonly user_id: string
  /**
   * The API key. It is always in the response that creates or changes it, and later only if it was stored readable
   * (`api_key_policy` `encrypt`). Null for keys below level `write`.
   */
  readonly api_key?: string | null
  /** The ID of the auth provider that the authenticator app or profile belongs to. */
  readonly auth_provider_id?: string | null
  /** The user's name for the authenticator app or passkey; optional for a passkey. */
  readonly name?: string | null
  /** Whether the authenticator app is used in logins: `active`, or `new` until it is verified. */
  readonly state?: string | null
  /**
   * The secret of a `new` authenticator app in Base32, for manual entry. Null for keys below level `write`; missing
   * once the app is verified.
   */
  readonly otp_secret?: string | null
  /**
   * The same secret as an `otpauth:` URI for a QR code: SHA-1, six digits, 30 seconds. Null for keys below level
   * `write`; missing once the app is verified.
   */
  readonly provisioning_uri?: string | null
  /** The QR code of that URI, as an SVG image. Null for keys below level `write`; missing once the app is verified. */
  readonly provisioning_svg?: string | null
  /** The model of the passkey's authenticator, as a UUID; zeros if unknown. */
  readonly aaguid?: string
  /** The transports that the authenticator reports: `internal`, `hybrid`, `usb`, `nfc`, `ble` and others. */
  readonly transports?: ReadonlyArray<string>
  /** Whether the passkey was synced to other devices at its latest use. */
  readonly backed_up?: boolean
  /** Unix time in seconds of the passkey's latest use; null if it was never used. */
  readonly last_used_at?: number | null
  /** The user's ID at the provider. */
  readonly provider_user_id?: string | null
  /** The provider's latest access token for the user; null if there is none, or for keys below level `write`. */
  readonly access_token?: string | null
  /** Unix time in seconds at which the access token expires; null if not known. */
  readonly token_expires_at?: number | null
  /** Ten recovery codes, such as `7k2m-x9qa-04tz`. Only in the response that creates them. */
  readonly codes?: ReadonlyArray<string>
  /** The number of unused recovery codes. */
  readonly codes_left?: number
}
