// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A provider check. */
export interface ProviderCheck {
  /**
   * The check: that the login page responds (`authorization_endpoint`), that the client ID and the client secret are
   * accepted (`token_endpoint`), that the profile endpoint responds (`profile_endpoint`), and that the keys of ID
   * tokens can be fetched (`keys`). For a provider without external calls, only its settings are checked (`settings`).
   */
  readonly name: "settings" | "authorization_endpoint" | "token_endpoint" | "profile_endpoint" | "keys"
  /** The result: passed (`completed`), not passed (`failed`), or inconclusive (`skipped`). */
  readonly state: "completed" | "failed" | "skipped"
  /** A sentence with details. */
  readonly detail: string
}
