// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { ImportOrg } from "./ImportOrg.ts"

/** An import membership. */
export interface ImportMembership {
  /** The user's org; null for a membership without an org. Required, unless `org_id` is sent. */
  readonly org?: ImportOrg | null | undefined
  /** The org's ID in this realm, in place of `org`. Default: none. */
  readonly org_id?: string | null | undefined
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Those that begin with `ar:` are reserved, except `ar:owner` and `ar:admin`. Default: none. For an existing
   * membership, this replaces the whole list. If the member is left out, the permissions stay.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Your own attributes. For an existing membership, these are added or replaced, and all others stay; null removes
   * all. Default: none, and no change.
   */
  readonly custom?: Custom | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, in the future, at which the membership expires. Default, and null:
   * never.
   */
  readonly expires_at?: number | string | null | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the membership was created. Default: now.
   */
  readonly created_at?: number | string | null | undefined
}
