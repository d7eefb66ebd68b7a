import { Data } from "effect"

/** A validation error: the field (null: the whole request), a message code, and the parameters of the message. */
export interface Problem {
  readonly field: string | null
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** The request breaks rules of the contract. Lists every broken rule. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly problems: ReadonlyArray<Problem> }> {}

export const problem = (field: string | null, code: string, params?: Problem["params"]): Problem =>
  params === undefined ? { field, code } : { field, code, params }

/** Prefixes problems with the path of the object they were found in, as in `credentials[1].name`. */
export const atPath = (path: string, problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  problems.map((one) => ({ ...one, field: one.field === null ? path : `${path}.${one.field}` }))

export const rejection = (field: string | null, code: string, params?: Problem["params"]): Rejected =>
  new Rejected({ problems: [problem(field, code, params)] })
