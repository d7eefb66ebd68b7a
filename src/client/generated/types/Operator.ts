// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An operator. */
export interface Operator {
  /** The operator's ID, which begins with `usr_`. */
  readonly id: string
  /** The type of the object: always `operator`. */
  readonly object: "operator"
  /** The operator's email, in lower case. */
  readonly email: string
  /** The operator's name, or the local part of the email. */
  readonly name: string
  /**
   * The role. `viewer` reads. `support` also helps users: ends sessions and blocks, and resends emails and invitations.
   * `admin` may do what an API key of level `admin_realm` may. `owner` may do everything, and manages the operators.
   */
  readonly role: "viewer" | "support" | "admin" | "owner"
  /** The ID of the realm that the operator is locked to; null if it is for all realms. */
  readonly realm_id: string | null
  /** `invited` until the operator logs in for the first time, then `active`. */
  readonly state: "invited" | "active"
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which the operator last logged in; null if never. */
  readonly last_login_at: number | null
  /**
   * The link to accept the invitation, which works once and for 7 days. Anyone with the link can set the operator's
   * password. Only in the responses that invite the operator.
   */
  readonly url?: string
}
