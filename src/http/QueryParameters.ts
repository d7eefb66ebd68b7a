import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { queryParametersOf } from "#api/EndpointMembers"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"
import { invalid } from "./Errors.ts"

/** A query as it was sent or as the endpoint reads it: by name, a text, or several if the name was repeated. */
export type Query = Readonly<Record<string, string | Array<string>>>

/** What a list's parameters are called in the APIs of others. */
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

/** The request attributes in the query of a DELETE, whose parameters may all be there (C7). */
const requestAttributes: ReadonlySet<string> = new Set(["request[ip]", "request[client]"])

/** How many unknown parameters are told, and how many characters of a name. */
const MOST = 20
const LONGEST = 64

/** A parameter's name as the endpoint reads it: `k[]` is `k` (C7). */
export const plainName = (name: string): string => (name.endsWith("[]") ? name.slice(0, -2) : name)

const NONE: ReadonlyArray<string> = []

/** How an endpoint treats query parameters that it does not know (C63): `/v2` refuses them, `/v1` names them in a header. */
export interface QueryParameters {
  readonly refused: boolean
  /** The names in a query that the endpoint does not know. */
  unknownIn(query: Query): ReadonlyArray<string>
  /** What is said of unknown parameters. */
  problemsOf(unknown: ReadonlyArray<string>): ReadonlyArray<Problem>
}

/** The parameters of an endpoint, found out once. */
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
      unknown.slice(0, MOST).map((name) => {
        const parameter = name.slice(0, LONGEST).toWellFormed()
        const nearest = nearestTo(name)
        const meant = nearest === undefined ? {} : { nearest }
        return problem(parameter, "unknown_parameter", { parameter, ...meant, known: listed })
      })
  }
}

/** Refuses a request for its unknown parameters, under `/v2` and where the caller wants nothing ignored. */
export const requireKnown = (
  { refused, problemsOf }: QueryParameters,
  unknown: ReadonlyArray<string>,
  isStrict = false
) => (unknown.length > 0 && (refused || isStrict) ? Effect.fail(invalid(problemsOf(unknown))) : Effect.void)

/** What was ignored as the value of a header, percent-encoded since a name may hold anything. */
export const headerOf = (ignored: ReadonlyArray<string>): string =>
  ignored
    .slice(0, MOST)
    .map((name) => encodeURIComponent(name.slice(0, LONGEST).toWellFormed()))
    .join(", ")
