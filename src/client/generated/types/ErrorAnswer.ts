// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { ErrorCode } from "./ErrorCode.ts"

/** An error answer. */
export interface ErrorAnswer {
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
