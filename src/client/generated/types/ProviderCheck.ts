// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A provider check. */
export interface ProviderCheck {
  /**
   * What was checked: that the page where people log in answers (`authorization_endpoint`), that the client ID and the
   * client secret are accepted (`token_endpoint`), that the profiles are there (`profile_endpoint`), and the keys of ID
   * tokens (`keys`). Of a provider that calls nothing outside, its settings alone (`settings`).
   */
  readonly name: "settings" | "authorization_endpoint" | "token_endpoint" | "profile_endpoint" | "keys"
  /** How that went: fine (`completed`), not so (`failed`), or the answer does not tell (`skipped`). */
  readonly state: "completed" | "failed" | "skipped"
  /** A sentence that says more. */
  readonly detail: string
}
