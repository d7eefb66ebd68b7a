// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { OrgItemV1 } from "./OrgItemV1.ts"
import type { UserItemV1 } from "./UserItemV1.ts"

/** A membership, as version 1 of the API shows it. */
export interface MembershipV1 {
  /** The membership's ID, which begins with `mb_`. */
  readonly id: string
  /** The type of the object: always `membership`. */
  readonly object: "membership"
  /** The org's ID; null for a membership without an org. */
  readonly org_id: string | null
  /** The user's ID. */
  readonly user_id: string
  /**
   * The permission tags. `ar:owner` marks the org's owner, and `ar:admin` marks members who can manage the org's
   * members. Your app defines the meaning of all other tags.
   */
  readonly permissions: ReadonlyArray<string>
  /** Unix time in seconds, with up to three decimals, at which the membership expires; null if never. */
  readonly expires_at: number | null
  /** Your own attributes. */
  readonly custom: Custom
  /** The org, if the operation includes it. */
  readonly org?: OrgItemV1
  /** The user, if the operation includes it. */
  readonly user?: UserItemV1
  /** Always true. Only in the response to a creation. */
  readonly new_record?: true
}
