// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { OrgItem } from "./OrgItem.ts"
import type { UserItem } from "./UserItem.ts"

/** A membership. */
export interface Membership {
  /** The membership's ID, which begins with `mb_`. */
  readonly id: string
  /** The type of the object: always `membership`. */
  readonly object: "membership"
  /** The org's ID; null if the membership is for the user alone. */
  readonly org_id: string | null
  /** The user's ID. */
  readonly user_id: string
  /**
   * The permission tags. `ar:owner` marks the owner of the org, `ar:admin` who may manage its members; others mean what
   * your app says.
   */
  readonly permissions: ReadonlyArray<string>
  /** Unix time in seconds, with up to three decimals, from which the membership is gone; null if never. */
  readonly expires_at: number | null
  /** The org, where the operation includes it. */
  readonly org?: OrgItem
  /** The user, where the operation includes it. */
  readonly user?: UserItem
  /** Always true, and only in the response to a creation. */
  readonly new_record?: true
}
