// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"

/** The settings of an org, as version 1 of the API shows it. */
export interface OrgInputV1 {
  /** Whether the org is in use: `active`, or `inactive`, left out of tokens and expansions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /** The org's name. Required for a new org. */
  readonly name?: string | null | undefined
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing ones, so send them all. Default, and null: none. */
  readonly custom?: Custom | undefined
}
