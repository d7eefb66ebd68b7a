// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A logins by method. */
export interface LoginsByMethod {
  /**
   * The methods of the logins, in the order used, as on `user.login.succeeded`. Empty for logins that an earlier
   * release recorded.
   */
  readonly methods: ReadonlyArray<
    | "password"
    | "passkey"
    | "email"
    | "totp"
    | "recovery_code"
    | "api_key"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "slack"
    | "yahoo"
    | "oauth2"
    | "oidc"
    | "external"
  >
  /** The number of logins with these methods. */
  readonly logins: number
}
