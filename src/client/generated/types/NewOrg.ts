// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { OrgUser } from "./OrgUser.ts"

/** A new org. */
export interface NewOrg {
  /**
   * Whether the org is in use: `active`; `inactive`, left out of tokens and expansions; or `closed` permanently: a
   * closed org can't be changed. Default: `active`.
   */
  readonly state?: "active" | "inactive" | "closed" | undefined
  /** The org's name. Required for a new org. */
  readonly name?: string | null | undefined
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing ones, so send them all. Default, and null: none. */
  readonly custom?: Custom | undefined
  /** The ID or IDs of users who become members, up to 5,000. Can be inside the wrapper or beside it. Default: none. */
  readonly user_ids?: ReadonlyArray<string> | string | null | undefined
  /**
   * A user to create together with the org, who becomes a member. Can be inside the wrapper or beside it. Default:
   * none.
   */
  readonly user?: OrgUser | null | undefined
  /** The permissions of each membership that is created. Can be inside the wrapper or beside it. Default: none. */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
}
