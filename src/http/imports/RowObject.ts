import { Result } from "effect"
import { type JsonPath, readJson } from "#domain/ExactJson"
import { jsonFault } from "#domain/JsonFault"
import { isObject, memberOf } from "#domain/JsonObject"
import { type Problem, problem } from "#domain/Rejected"

/** The error codes for a line that contains no object. */
export const NO_OBJECT: ReadonlySet<string> = new Set([
  "malformed_row",
  "unfinished_row",
  "rows_in_list",
  "row_not_object",
  "line_not_utf8"
])

const faultOf = (text: string): Problem => {
  const fault = jsonFault(text)
  if (fault.kind === "unexpected") {
    return problem(null, "malformed_row", fault.position === undefined ? undefined : { position: fault.position })
  }
  return problem(null, text.trimStart().startsWith("[") ? "rows_in_list" : "unfinished_row")
}

/** Returns the problem if a line wraps one row, or all rows, in another object: `{"user": {…}}`, `{"users": […]}`. */
const wrapperProblem = (value: object): Problem | undefined => {
  const [wrapper, ...others] = Object.keys(value)
  if (wrapper === undefined || others.length > 0) return undefined
  const inside = memberOf(value, wrapper)
  if (wrapper === "user" && isObject(inside)) return problem(wrapper, "wrapped_row", { wrapper })
  return wrapper === "users" && Array.isArray(inside) ? problem(null, "rows_in_list") : undefined
}

/** The object on a line, and the paths of its inexact numbers. */
export interface ReadObject {
  readonly value: object
  readonly inexact: ReadonlyArray<JsonPath>
}

/** Parses the object on a line, or returns the reason why it can't be a row. */
export const objectOf = (text: string): Result.Result<ReadObject, Problem> => {
  let read: ReturnType<typeof readJson>
  try {
    read = readJson(text)
  } catch {
    return Result.fail(faultOf(text))
  }
  const { value, inexact } = read
  if (Array.isArray(value)) return Result.fail(problem(null, "rows_in_list"))
  if (!isObject(value)) return Result.fail(problem(null, "row_not_object"))
  const wrong = wrapperProblem(value)
  return wrong === undefined ? Result.succeed({ value, inexact }) : Result.fail(wrong)
}
