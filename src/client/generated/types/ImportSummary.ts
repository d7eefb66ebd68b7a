// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { ErrorCode } from "./ErrorCode.ts"

/** An import summary. */
export interface ImportSummary {
  /** The type of the object: always `import`. */
  readonly object: "import"
  /** The ID of the realm. */
  readonly realm_id: string
  /**
   * Whether all rows were processed and, for an imported export, no rows were missing. If not, `error_details` contains
   * the reason. To continue the import, send all rows again.
   */
  readonly complete: boolean
  /** Whether nothing was written. */
  readonly dry_run: boolean
  /** The number of processed rows: the sum of the next four, at most 100,000. */
  readonly rows: number
  /** The number of users created. */
  readonly created: number
  /** The number of users who were changed, or who got credentials or memberships. */
  readonly updated: number
  /** The number of users who already matched their rows. */
  readonly unchanged: number
  /** The number of rejected rows. Each has its own line. */
  readonly refused: number
  /** The number of orgs created. */
  readonly orgs_created: number
  /** All problems, each as a sentence for people. */
  readonly errors: ReadonlyArray<string>
  /** The same problems in the same order, with details for programs to use. */
  readonly error_details: ReadonlyArray<{
    /** The member or parameter with the problem; null if the problem concerns the entire request. */
    readonly field: string | null
    /** The problem's code, for use by programs. */
    readonly code: ErrorCode
    /** The problem's message for people, in the language of the request. */
    readonly message: string
    /** The values in the message by name, such as a limit. Missing if there are none. */
    readonly params?: { readonly [name: string]: string | number }
    /** The allowed values or names listed in the message. Missing if it lists none. */
    readonly allowed?: ReadonlyArray<string>
  }>
  /** The ID of the request, as in the header `X-Request-Id`. Include it when you report a problem. */
  readonly request_id?: string
}
