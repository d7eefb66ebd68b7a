// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An operator of event. */
export interface OperatorOfEvent {
  /** The operator's email. */
  readonly email: string
  /** The operator's role. */
  readonly role: "viewer" | "support" | "admin" | "owner"
  /** The ID of the realm that the operator is locked to; null for all realms. */
  readonly realm_id: string | null
}
