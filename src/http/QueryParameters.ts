import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { queryParametersOf } from "#api/EndpointMembers"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"
import { invalid } from "./Errors.ts"

/** A query, as sent or as the endpoint reads it. The value of a repeated name is a list. */
export type Query = Readonly<Record<string, string | Array<string>>>

/** Names used by other APIs for our list parameters. */
const namesElsewhere: Readonly<Record<string, string>> = {
  limit: "max_results",
  per_page: "max_results",
  page_size: "max_results",
  count: "max_results",
  cursor: "after",
  page: "after",
  offset: "after",
  starting_after: "after",
  order: "direction",
  sort_order: "direction",
  order_by: "sort",
  sort_by: "sort",
  include: "expand",
  email: "to"
}

/** The request attributes in the query of a DELETE, which also accepts its other parameters there (C7). */
const requestAttributes: ReadonlySet<string> = new Set(["request[ip]", "request[client]"])

/** Limits for reports of unknown parameters: their number, and the length of each reported name in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

/** Returns a parameter's name without brackets: `k[]` becomes `k` (C7). */
export const plainName = (name: string): string => (name.endsWith("[]") ? name.slice(0, -2) : name)

const NONE: ReadonlyArray<string> = []

/** How an endpoint treats unknown query parameters (C63): `/v2` rejects them, `/v1` lists them in a response header. */
export interface QueryParameters {
  readonly refused: boolean
  /** Returns the names in a query that the endpoint does not know. */
  unknownIn(query: Query): ReadonlyArray<string>
  /** Returns the problems for unknown parameters. */
  problemsOf(unknown: ReadonlyArray<string>): ReadonlyArray<Problem>
}

/** The parameters of an endpoint, computed once per endpoint. */
export const queryParameters = (endpoint: HttpApiEndpoint.Top): QueryParameters => {
  const known = queryParametersOf(endpoint)
  const listed = [...known].toSorted().join(", ")
  const isDelete = endpoint.method === "DELETE"
  const isKnown = (name: string) =>
    known.has(name) || known.has(plainName(name)) || (isDelete && requestAttributes.has(name))
  const nearestTo = (name: string): string | undefined => {
    const elsewhere = namesElsewhere[name.toLowerCase()]
    return elsewhere !== undefined && known.has(elsewhere) ? elsewhere : nearestName(name, known)
  }
  return {
    refused: endpoint.path.startsWith("/v2/"),
    unknownIn: (query) => {
      let unknown: Array<string> | undefined
      for (const name in query) if (!isKnown(name)) (unknown ??= []).push(name)
      return unknown ?? NONE
    },
    problemsOf: (unknown) =>
      unknown.slice(0, MAX_REPORTED).map((name) => {
        const parameter = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
        const nearest = nearestTo(name)
        const meant = nearest === undefined ? {} : { nearest }
        return problem(parameter, "unknown_parameter", { parameter, ...meant, known: listed })
      })
  }
}

/**
 * Returns whether a `Prefer` header contains `handling=strict`, which forbids ignoring any part of the request. If
 * `handling` is repeated, the first value counts (RFC 7240 §4.4).
 */
export const prefersStrict = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const handling = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/iu.exec(header)
  return handling?.[1]?.toLowerCase() === "strict"
}

/** Rejects unknown parameters: always under `/v2`, and under `/v1` only in strict mode. */
export const requireKnown = (
  { refused, problemsOf }: QueryParameters,
  unknown: ReadonlyArray<string>,
  isStrict = false
) => (unknown.length > 0 && (refused || isStrict) ? Effect.fail(invalid(problemsOf(unknown))) : Effect.void)

/** Formats the ignored names as a header value. Names are percent-encoded because they can contain any character. */
export const headerOf = (ignored: ReadonlyArray<string>): string =>
  ignored
    .slice(0, MAX_REPORTED)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
    .join(", ")
