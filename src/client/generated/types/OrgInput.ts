// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"

/** The settings of an org. */
export interface OrgInput {
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
}
