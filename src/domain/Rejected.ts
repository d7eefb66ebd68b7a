import { Data } from "effect"

/** One thing wrong with a request: the member it is about (null: the whole request), a code of the message catalogue, and what the sentence interpolates. */
export interface Problem {
  readonly field: string | null
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** What was asked breaks a rule of the contract: every broken rule at once. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly problems: ReadonlyArray<Problem> }> {}

export const problem = (field: string | null, code: string, params?: Problem["params"]): Problem =>
  params === undefined ? { field, code } : { field, code, params }

export const rejected = (field: string | null, code: string, params?: Problem["params"]): Rejected =>
  new Rejected({ problems: [problem(field, code, params)] })
