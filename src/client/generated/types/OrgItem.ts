// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"

/** An org in a list or within another resource. */
export interface OrgItem {
  /** The org's ID, which begins with `org_`. */
  readonly id: string
  /** The type of the object: always `org`. */
  readonly object: "org"
  /**
   * The org's state: `active`, `inactive` (not included in tokens and expansions), or permanently `closed` (`inactive`
   * under `/v1`).
   */
  readonly state: "active" | "inactive" | "closed"
  /** The org's name. */
  readonly name: string
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference: string | null
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** Your own attributes. In lists only with `expand=custom`. */
  readonly custom?: Custom
  /**
   * The number of the org's memberships. At most 10,000 are counted: 10000 means 10,000 or more. Only in lists of orgs,
   * with `expand=membership_count`.
   */
  readonly membership_count?: number
}
