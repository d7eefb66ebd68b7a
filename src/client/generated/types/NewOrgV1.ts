// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { OrgUserV1 } from "./OrgUserV1.ts"

/** A new org, as version 1 of the API shows it. */
export interface NewOrgV1 {
  /** The org's state: `active`, or `inactive` (not included in tokens and expansions). Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
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
  readonly user?: OrgUserV1 | null | undefined
  /** The permissions of each membership that is created. Can be inside the wrapper or next to it. Default: none. */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
}
