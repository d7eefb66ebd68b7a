// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { MembershipV1 } from "./MembershipV1.ts"

/** An org, as version 1 of the API shows it. */
export interface OrgV1 {
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
  /** Your own attributes. */
  readonly custom: Custom
  /** The org's memberships with their users, with `expand=memberships`. For a new org, the memberships just created. */
  readonly memberships?: ReadonlyArray<MembershipV1>
  /** Always true. Only in the response to a creation. */
  readonly new_record?: true
}
