// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { OrgItem } from "./OrgItem.ts"
import type { UserItem } from "./UserItem.ts"

/** A membership. */
export interface Membership {
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
  /** The org, if the operation includes it. */
  readonly org?: OrgItem
  /** The user, if the operation includes it. */
  readonly user?: UserItem
  /** Always true. Only in the response to a creation. */
  readonly new_record?: true
}
