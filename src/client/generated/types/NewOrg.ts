// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { OrgUser } from "./OrgUser.ts"

/** A new org. */
export interface NewOrg {
  /**
   * The org's state: `active`, `inactive` (not included in tokens and expansions), or permanently `closed`. A closed
   * org can't be changed. Default: `active`.
   */
  readonly state?: "active" | "inactive" | "closed" | undefined
  /** The org's name. Required for a new org. */
  readonly name?: string | null | undefined
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing attributes, so send all of them. Null removes them. Default: none. */
  readonly custom?: Custom | undefined
  /**
   * The IDs of existing users to add as members, up to 5,000. Can be inside the wrapper or next to it. Default: none.
   */
  readonly user_ids?: ReadonlyArray<string> | string | null | undefined
  /** A user to create together with the org, as its member. Can be inside the wrapper or next to it. Default: none. */
  readonly user?: OrgUser | null | undefined
  /** The permissions of each membership that is created. Can be inside the wrapper or next to it. Default: none. */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
}
