import { Result, Schema } from "effect"
import { type Problem, problem } from "#domain/Rejected"
import { MOST_IN_ALL, ShapeCheck, shapeOf } from "./BodyShape.ts"
import { fieldAt, type Place, requestProblems } from "./InvalidRequest.ts"

/** The problems of lists that are too long for their elements to be looked at. */
export const longListProblems = (found: ShapeCheck, place: Place): ReadonlyArray<Problem> => {
  const problems = found.long.map(({ path, most }) => problem(fieldAt(path, place), "too_many", { most }))
  return found.hasTooMany ? [...problems, problem(null, "too_many_in_all", { most: MOST_IN_ALL })] : problems
}

/** Compares values with the maximum lengths of a schema's lists. */
export const listLengths = (schema: Pick<Schema.Top, "ast">, place: Place) => {
  const shape = shapeOf(schema.ast)
  return (value: unknown): ReadonlyArray<Problem> => {
    const found = new ShapeCheck()
    found.check(value, shape)
    return longListProblems(found, place)
  }
}

/**
 * Decodes what a caller sent and reports everything that is wrong with it. The elements of lists are looked at only once all lists
 * are known not to be too long: the description of each wrong element costs time (SEC-234).
 */
export const decodeAll = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, place: Place) => {
  const lengthProblems = listLengths(schema, place)
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (value: unknown): Result.Result<S["Type"], ReadonlyArray<Problem>> => {
    const long = lengthProblems(value)
    return long.length > 0
      ? Result.fail(long)
      : Result.mapError(decode(value), ({ issue }) => requestProblems(issue, place))
  }
}
