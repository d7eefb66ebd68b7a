import { Data } from "effect"

/** A validation error. `field` is null if the whole request is invalid. The message has a code and parameters. */
export interface Problem {
  readonly field: string | null
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** The request breaks rules of the contract. `problems` lists all of them. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly problems: ReadonlyArray<Problem> }> {}

export const problem = (field: string | null, code: string, params?: Problem["params"]): Problem =>
  params === undefined ? { field, code } : { field, code, params }

/** Prefixes the fields of problems with the path of the object they belong to, as in `credentials[1].name`. */
export const atPath = (path: string, problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  problems.map((one) => ({ ...one, field: one.field === null ? path : `${path}.${one.field}` }))

export const rejection = (field: string | null, code: string, params?: Problem["params"]): Rejected =>
  new Rejected({ problems: [problem(field, code, params)] })
