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
   * Whether people can log in: `active`, or `inactive`, in which logins and sign-ups are rejected while tokens still
   * verify and management still works.
   */
  readonly state: "active" | "inactive"
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference: string | null
  /** Your own attributes of the realm. Only with `expand=custom`. */
  readonly custom?: Custom
}
