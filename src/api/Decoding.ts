import { Result, Schema } from "effect"
import { type Problem, problem } from "#domain/Rejected"
import { MAX_VALUES_IN_BODY, ShapeCheck, shapeOf } from "./BodyShape.ts"
import { fieldAt, type RequestPart, requestProblems } from "./InvalidRequest.ts"

/** Returns the problems of lists that are too long to check each element. */
export const longListProblems = (found: ShapeCheck, place: RequestPart): ReadonlyArray<Problem> => {
  const problems = found.long.map(({ path, maximum: most }) => problem(fieldAt(path, place), "too_many", { most }))
  return found.hasTooMany ? [...problems, problem(null, "too_many_in_all", { most: MAX_VALUES_IN_BODY })] : problems
}

/**
 * If all lists together have more elements than this, only the first invalid value is reported, because describing every
 * invalid value would take too long.
 */
const MAX_DESCRIBED = 1_000

/** Returns a function that checks the lengths of a value's lists against a schema. */
export const listLengths = (schema: Pick<Schema.Top, "ast">) => {
  const shape = shapeOf(schema.ast)
  return (value: unknown): ShapeCheck => {
    const found = new ShapeCheck()
    found.check(value, shape)
    return found
  }
}

/**
 * Returns a function that decodes a caller's value and reports all of its problems. List elements are decoded only after the
 * lengths of all lists have been checked (SEC-234).
 */
export const decodeAll = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, place: RequestPart) => {
  const lengths = listLengths(schema)
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown, found = lengths(value)): Result.Result<S["Type"], ReadonlyArray<Problem>> => {
    const long = longListProblems(found, place)
    if (long.length > 0) return Result.fail(long)
    const errors = found.elements > MAX_DESCRIBED ? "first" : "all"
    return Result.mapError(decode(value, { errors }), ({ issue }) => requestProblems(issue, place))
  }
}
