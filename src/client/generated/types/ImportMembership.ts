// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { ImportOrg } from "./ImportOrg.ts"

/** An import membership. */
export interface ImportMembership {
  /** The user's org; null for a membership without an org. Required, unless `org_id` is sent. */
  readonly org?: ImportOrg | null | undefined
  /** The org's ID in this realm, as an alternative to `org`. Default: none. */
  readonly org_id?: string | null | undefined
  /**
   * Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by
   * spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none. For an
   * existing membership, this replaces the entire list; if it is missing, the permissions don't change.
   */
  readonly permissions?: ReadonlyArray<string> | string | null | undefined
  /**
   * Your own attributes. For an existing membership, these attributes are added or replaced, and all others don't
   * change; null removes all of them. Default: none for a new membership, no change for an existing one.
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
