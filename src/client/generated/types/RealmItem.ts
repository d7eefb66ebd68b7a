// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"

/** A realm in a list or within another resource. */
export interface RealmItem {
  /** The realm's ID, which begins with `rl_`. */
  readonly id: string
  /** The type of the object: always `realm`. */
  readonly object: "realm"
  /** The name shown on pages and in emails. */
  readonly name: string
  /**
   * The realm's state: `active` or `inactive`. An inactive realm rejects logins and sign-ups, but its tokens are still
   * accepted and it can still be managed.
   */
  readonly state: "active" | "inactive"
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference: string | null
  /** Your own attributes of the realm. Only with `expand=custom`. */
  readonly custom?: Custom
}
