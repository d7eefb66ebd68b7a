import type { SchemaAST, SchemaIssue } from "effect"
import type { JsonPath } from "#domain/ExactJson"
import { type Problem, problem } from "#domain/Rejected"

/** The problem that a schema reports for an invalid value: `annotate({ problem: … })`, on types and on checks. */
export interface ProblemAnnotation {
  readonly code: string
  readonly params?: Problem["params"]
}

/** The problem in the annotation of a schema or a check. */
export const annotatedProblem = (
  annotations: { readonly [key: string]: unknown } | undefined
): ProblemAnnotation | undefined => {
  const found = annotations?.["problem"]
  return typeof found === "object" && found !== null && "code" in found && typeof found.code === "string"
    ? { code: found.code, ...("params" in found ? { params: found.params as Problem["params"] } : {}) }
    : undefined
}

const annotatedProblemOfType = (ast: SchemaAST.AST): ProblemAnnotation | undefined => {
  const own = annotatedProblem(ast.annotations)
  if (own !== undefined || ast._tag !== "Union") return own
  for (const member of ast.types) {
    const found = annotatedProblemOfType(member)
    if (found !== undefined) return found
  }
  return undefined
}

const expected: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  String: "not_text",
  Boolean: "not_boolean",
  Number: "not_number",
  Arrays: "not_list",
  Objects: "not_object"
}

/** The maximum length of a path in a response, in characters: each problem repeats it several times. */
const MAX_PATH_LENGTH = 200

const shortened = (path: string): string =>
  path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH - 1).toWellFormed()}…`

/** The name of the member at a path: its last name, without list indexes; for custom attributes, with the key. */
const memberOf = (path: ReadonlyArray<PropertyKey>): string | null => {
  const custom = path.indexOf("custom")
  if (custom !== -1) return shortened(path.slice(custom).map(String).join("."))
  const names = path.filter((step) => typeof step === "string" && !/^\d+$/.test(step))
  return names.length === 0 ? null : shortened(String(names.at(-1)))
}

/** The whole path, as in `credentials[1].name`. */
const pathOf = (path: ReadonlyArray<PropertyKey>): string | null => {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("")
  return text === "" ? null : shortened(text.replace(/^\./, ""))
}

/** The keys that a check of an object names. */
const keysIn = (issue: SchemaIssue.Issue): ReadonlyArray<string> => {
  if (issue._tag === "Composite") return issue.issues.flatMap(keysIn)
  return issue._tag === "Pointer" ? issue.path.map(String) : []
}

/**
 * Where a value was sent: in a query, in a body, whose members are reported by their last name, or in an import row, whose
 * members are reported by their path.
 */
export type Place = "query" | "body" | "row"

/** A value that does not decode: its path and the reason. */
interface WrongValue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly annotation: ProblemAnnotation
  readonly isMissing: boolean
}

/** The maximum number of invalid values examined. */
const MAX_VALUES = 1_000

const wrongValues = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  place: Place
): ReadonlyArray<WrongValue> => {
  const one = (annotation: ProblemAnnotation, isMissing = false) => [{ path, annotation, isMissing }]
  switch (issue._tag) {
    case "Pointer":
      return wrongValues(issue.issue, [...path, ...issue.path], place)
    case "Composite": {
      const found: Array<WrongValue> = []
      for (const inner of issue.issues) {
        if (found.length < MAX_VALUES) found.push(...wrongValues(inner, path, place))
      }
      return found
    }
    case "MissingKey":
      return one({ code: "blank" }, true)
    case "Filter": {
      const annotation = annotatedProblem(issue.filter.annotations) ?? { code: "invalid" }
      const keys = keysIn(issue.issue)
      if (keys.length === 0) return one(annotation)
      return keys.map((key) => ({
        path: [...path, key],
        annotation: { ...annotation, params: { ...annotation.params, key } },
        isMissing: false
      }))
    }
    case "Encoding":
      return wrongValues(issue.issue, path, place)
    case "InvalidType":
      // A query parameter is a string, or a list of strings if it was repeated.
      if (place === "query" && issue.ast._tag === "String") return one({ code: "repeated" })
      return one(annotatedProblemOfType(issue.ast) ?? { code: expected[issue.ast._tag] ?? "invalid" })
    case "AnyOf": {
      const members = issue.issues.map((member) => wrongValues(member, path, place))
      if (annotatedProblem(issue.ast.annotations) === undefined) {
        const [only, ...others] = members
        // If several kinds of object are possible, assume the first one whose required members are all present.
        if (only !== undefined && issue.ast.types.every(({ _tag }) => _tag === "Objects")) {
          return members.find((values) => !values.some(({ isMissing }) => isMissing)) ?? only
        }
        if (only !== undefined && others.length === 0) return only
        const told = members.flat().find(({ annotation }) => annotation.code !== "invalid")
        if (told !== undefined) return [told]
      }
      const [first] = issue.ast.types
      const code = (first === undefined ? undefined : expected[first._tag]) ?? "invalid"
      return one(annotatedProblemOfType(issue.ast) ?? { code })
    }
    default:
      return one({ code: "invalid" })
  }
}

/** The field name of a problem: the whole path in a row, the member's name in a body. */
export const fieldAt = (path: ReadonlyArray<PropertyKey>, place: Place): string | null =>
  place === "row" ? pathOf(path) : memberOf(path)

/** The maximum number of problems reported for a query, a body and an import row. */
export const MAX_PROBLEMS = { query: 100, body: 100, row: 20 } as const

/** Truncates a list of problems, with a last problem saying that there are more. */
export const limitProblems = (problems: ReadonlyArray<Problem>, most: number): ReadonlyArray<Problem> =>
  problems.length > most ? [...problems.slice(0, most), problem(null, "more_problems", { most })] : problems

/** The problems of a part of a request that did not decode. */
export const requestProblems = (issue: SchemaIssue.Issue, place: Place): ReadonlyArray<Problem> => {
  const seen = new Set<string>()
  const problems = wrongValues(issue, [], place).flatMap(({ path, annotation: { code, params } }) => {
    const field = fieldAt(path, place)
    const key = `${field} ${code}`
    return seen.has(key) ? [] : (seen.add(key), [problem(field, code, params)])
  })
  return limitProblems(problems, MAX_PROBLEMS[place])
}

/** The problems of numbers that would lose digits, at the given paths of a body or a row. */
export const inexactProblems = (ways: ReadonlyArray<JsonPath>, place: "body" | "row"): ReadonlyArray<Problem> =>
  ways.map((way) => problem(place === "row" ? pathOf(way) : memberOf(way), "number_inexact"))

/** A member of a body that does not decode: its path, and whether it is missing. */
export interface WrongMember {
  readonly way: ReadonlyArray<PropertyKey>
  readonly isMissing: boolean
}

/** The body's members and list elements that did not decode; undefined if there are too many to check the rest without them. */
export const wrongMembers = (issue: SchemaIssue.Issue): ReadonlyArray<WrongMember> | undefined => {
  const values = wrongValues(issue, [], "body")
  return values.length > MAX_PROBLEMS.body ? undefined : values.map(({ path, isMissing }) => ({ way: path, isMissing }))
}
