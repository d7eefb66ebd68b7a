// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { Membership } from "./Membership.ts"

/** An org. */
export interface Org {
  /** The org's ID, which begins with `org_`. */
  readonly id: string
  /** The type of the object: always `org`. */
  readonly object: "org"
  /**
   * Whether the org is in use: `active`; `inactive`, left out of tokens and expansions; or `closed`, for good (`/v1`
   * shows that as `inactive`).
   */
  readonly state: "active" | "inactive" | "closed"
  /** The org's name. */
  readonly name: string
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Your own ID of the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference: string | null
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** Your own attributes. */
  readonly custom: Custom
  /** The org's memberships with their users. Only with `expand=memberships`, and for a new org those just created. */
  readonly memberships?: ReadonlyArray<Membership>
  /** Always true, and only in the response to a creation. */
  readonly new_record?: true
}
