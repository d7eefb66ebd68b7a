// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"

/** An import org. */
export interface ImportOrg {
  /**
   * The ID that the org keeps from another service: `org_` and up to 60 letters, digits and hyphens. Only for new orgs,
   * under the same conditions as a user's `id`. Default: a new ID.
   */
  readonly id?: string | null | undefined
  /**
   * The org's reference, or its ID in this realm. If there is no such org, an org with this reference is created.
   * Required.
   */
  readonly reference?: string | null | undefined
  /** The org's name. Required if the org is created; otherwise ignored. */
  readonly name?: string | null | undefined
  /** The state of a new org: `active` or `inactive`. `closed` is rejected. Default: `active`. */
  readonly state?: "active" | "inactive" | "closed" | undefined
  /** Your own attributes, for a new org. Default: none. */
  readonly custom?: Custom | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the org was created; only for new orgs.
   * Default: now.
   */
  readonly created_at?: number | string | null | undefined
}
