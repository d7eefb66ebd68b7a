// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { ErrorCode } from "./ErrorCode.ts"

/** An import summary. */
export interface ImportSummary {
  /** The type of the object: always `import`. */
  readonly object: "import"
  /** The ID of the realm. */
  readonly realm_id: string
  /**
   * Whether all rows were worked off, and none is missing of an export that is imported. If not, `error_details` says
   * why: send the same rows again, or all of them, and the import goes on where it was.
   */
  readonly complete: boolean
  /** Whether nothing was written. */
  readonly dry_run: boolean
  /** The rows that were worked off: the sum of the next four, at most 100,000. */
  readonly rows: number
  /** The users who were created. */
  readonly created: number
  /** The users who were changed, or got credentials or memberships. */
  readonly updated: number
  /** The users who had all that their rows say. */
  readonly unchanged: number
  /** The rows that were refused. Each has a line of its own. */
  readonly refused: number
  /** The orgs that were created. */
  readonly orgs_created: number
  /** Every problem, as a sentence for people. */
  readonly errors: ReadonlyArray<string>
  /** The same problems in the same order, with details for programs. */
  readonly error_details: ReadonlyArray<{
    /** The member or parameter that is wrong; null if it is the whole request. */
    readonly field: string | null
    /** What is wrong, for programs. */
    readonly code: ErrorCode
    /** What is wrong, for people, in the language of the request. */
    readonly message: string
    /** The values in the message, such as a bound, by name. Missing if there are none. */
    readonly params?: { readonly [name: string]: string | number }
    /** The values or names of which the message lists the allowed ones. Missing if it lists none. */
    readonly allowed?: ReadonlyArray<string>
  }>
  /** The ID of the request, as in the header `X-Request-Id`. Include it when you report a problem. */
  readonly request_id?: string
}
