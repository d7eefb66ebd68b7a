// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A provider check. */
export interface ProviderCheck {
  /**
   * The name of the check: the issuer publishes its endpoints (`discovery`), the login page responds
   * (`authorization_endpoint`), the client ID and the client secret are accepted (`token_endpoint`), the profile
   * endpoint responds (`profile_endpoint`), or the keys of ID tokens can be fetched (`keys`). For a provider without
   * external calls, only the settings are checked (`settings`).
   */
  readonly name: "settings" | "discovery" | "authorization_endpoint" | "token_endpoint" | "profile_endpoint" | "keys"
  /** The result of the check: `completed`, `failed`, or `skipped` if it was inconclusive. */
  readonly state: "completed" | "failed" | "skipped"
  /** A sentence with details. */
  readonly detail: string
}
