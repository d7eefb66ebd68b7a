import type { SchemaAST, SchemaIssue } from "effect"
import type { JsonPath } from "#domain/ExactJson"
import { type Problem, problem } from "#domain/Rejected"

/** The problem to report if a value does not match its schema: `annotate({ problem: … })`, on types and on checks. */
export interface ProblemAnnotation {
  readonly code: string
  readonly params?: Problem["params"]
}

/** Returns the problem in the annotation of a schema or a check. */
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

/**
 * The maximum length of a path in a response, in characters. It is limited because each problem repeats the path several
 * times.
 */
const MAX_PATH_LENGTH = 200

const shortened = (path: string): string =>
  path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH - 1).toWellFormed()}…`

/**
 * Returns the name of the member at a path. This is the last name in the path, without list indexes. For custom attributes, it
 * includes the key.
 */
const memberOf = (path: ReadonlyArray<PropertyKey>): string | null => {
  const custom = path.indexOf("custom")
  if (custom !== -1) return shortened(path.slice(custom).map(String).join("."))
  const names = path.filter((step) => typeof step === "string" && !/^\d+$/.test(step))
  return names.length === 0 ? null : shortened(String(names.at(-1)))
}

/** Returns the complete path, such as `credentials[1].name`. */
const pathOf = (path: ReadonlyArray<PropertyKey>): string | null => {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("")
  return text === "" ? null : shortened(text.replace(/^\./, ""))
}

/** Returns the keys of an object that one of its checks names. */
const keysIn = (issue: SchemaIssue.Issue): ReadonlyArray<string> => {
  if (issue._tag === "Composite") return issue.issues.flatMap(keysIn)
  return issue._tag === "Pointer" ? issue.path.map(String) : []
}

/** The part of a request that contains a value. Problems in a body name the member; problems in an import row name the path. */
export type RequestPart = "query" | "body" | "row"

/** A value that can't be decoded, with its path and the problem. */
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
  place: RequestPart
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
        // If several object types are possible, assume the first whose required members are all present.
        if (only !== undefined && issue.ast.types.every(({ _tag }) => _tag === "Objects")) {
          return members.find((values) => !values.some(({ isMissing }) => isMissing)) ?? only
        }
        if (only !== undefined && others.length === 0) return only
        const specific = members.flat().find(({ annotation }) => annotation.code !== "invalid")
        if (specific !== undefined) return [specific]
      }
      const [first] = issue.ast.types
      const code = (first === undefined ? undefined : expected[first._tag]) ?? "invalid"
      return one(annotatedProblemOfType(issue.ast) ?? { code })
    }
    default:
      return one({ code: "invalid" })
  }
}

/** Returns the field name of a problem: the complete path in a row, only the member's name elsewhere. */
export const fieldAt = (path: ReadonlyArray<PropertyKey>, place: RequestPart): string | null =>
  place === "row" ? pathOf(path) : memberOf(path)

/** The maximum number of problems reported for a query, a body or an import row. */
export const MAX_PROBLEMS = { query: 100, body: 100, row: 20 } as const

/** Truncates a list of problems. The last problem then states that there are more. */
export const limitProblems = (problems: ReadonlyArray<Problem>, most: number): ReadonlyArray<Problem> =>
  problems.length > most ? [...problems.slice(0, most), problem(null, "more_problems", { most })] : problems

/** Returns the problems of a part of a request that can't be decoded. */
export const requestProblems = (issue: SchemaIssue.Issue, place: RequestPart): ReadonlyArray<Problem> => {
  const seen = new Set<string>()
  const problems = wrongValues(issue, [], place).flatMap(({ path, annotation: { code, params } }) => {
    const field = fieldAt(path, place)
    const key = `${field} ${code}`
    return seen.has(key) ? [] : (seen.add(key), [problem(field, code, params)])
  })
  return limitProblems(problems, MAX_PROBLEMS[place])
}

/** Returns the problems for numbers that would lose digits, at the given paths of a body or a row. */
export const inexactProblems = (ways: ReadonlyArray<JsonPath>, place: "body" | "row"): ReadonlyArray<Problem> =>
  ways.map((path) => problem(place === "row" ? pathOf(path) : memberOf(path), "number_inexact"))

/** A member of a body that can't be decoded: its path, and whether it is missing. */
export interface InvalidMember {
  readonly path: ReadonlyArray<PropertyKey>
  readonly isMissing: boolean
}

/**
 * Returns the members and list elements of a body that can't be decoded, or undefined if there are too many to check the rest
 * of the body without them.
 */
export const invalidMembers = (issue: SchemaIssue.Issue): ReadonlyArray<InvalidMember> | undefined => {
  const values = wrongValues(issue, [], "body")
  return values.length > MAX_PROBLEMS.body
    ? undefined
    : values.map(({ path, isMissing }) => ({ path: path, isMissing }))
}
