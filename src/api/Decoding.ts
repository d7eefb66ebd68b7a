import { Result, Schema } from "effect"
import { type Problem, problem } from "#domain/Rejected"
import { MAX_VALUES_IN_BODY, ShapeCheck, shapeOf } from "./BodyShape.ts"
import { fieldAt, type Place, requestProblems } from "./InvalidRequest.ts"

/** The problems of lists that are too long for their elements to be looked at. */
export const longListProblems = (found: ShapeCheck, place: Place): ReadonlyArray<Problem> => {
  const problems = found.long.map(({ path, most }) => problem(fieldAt(path, place), "too_many", { most }))
  return found.hasTooMany ? [...problems, problem(null, "too_many_in_all", { most: MAX_VALUES_IN_BODY })] : problems
}

/** With more elements than this in all lists, only the first wrong value is reported: the description of each one costs time. */
const MAX_DESCRIBED = 1_000

/** Compares values with the maximum lengths of a schema's lists. */
export const listLengths = (schema: Pick<Schema.Top, "ast">) => {
  const shape = shapeOf(schema.ast)
  return (value: unknown): ShapeCheck => {
    const found = new ShapeCheck()
    found.check(value, shape)
    return found
  }
}

/**
 * Decodes what a caller sent and reports everything that is wrong with it. The elements of lists are looked at only once all lists
 * are known not to be too long (SEC-234).
 */
export const decodeAll = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, place: Place) => {
  const lengths = listLengths(schema)
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown, found = lengths(value)): Result.Result<S["Type"], ReadonlyArray<Problem>> => {
    const long = longListProblems(found, place)
    if (long.length > 0) return Result.fail(long)
    const errors = found.elements > MAX_DESCRIBED ? "first" : "all"
    return Result.mapError(decode(value, { errors }), ({ issue }) => requestProblems(issue, place))
  }
}
