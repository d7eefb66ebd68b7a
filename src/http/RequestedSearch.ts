import { Effect } from "effect"
import { problem, Rejected } from "#domain/Rejected"
import { SEARCH_RESULTS, type Search } from "#domain/Search"
import { canonical } from "#domain/Text"
import { startOf } from "./WireMapping.ts"

interface SearchQuery {
  readonly search?: string
  readonly after?: string
  readonly max_results?: number
  readonly sort?: string
  readonly direction?: string
}

/**
 * Returns the search text of a list request, or undefined if it is missing or blank. A search matches the beginnings of texts
 * and has no sort order or pages, so it can't be combined with parameters such as `sort` or with the given exact filters
 * (C204).
 */
export const requestedSearch = <Filter extends string>(
  query: SearchQuery & { readonly [Name in Filter]?: string },
  filters: ReadonlyArray<Filter>
): Effect.Effect<Search | undefined, Rejected> => {
  const text = (query.search ?? "").trim()
  const key = canonical(text)
  if (key === "") return Effect.succeed(undefined)
  const given = [
    ...(startOf(query) === undefined ? [] : ["after"]),
    ...(["sort", "direction", ...filters] as const).filter((name) => query[name] !== undefined)
  ]
  return given.length > 0
    ? Effect.fail(new Rejected({ problems: given.map((field) => problem(field, "not_with_search")) }))
    : Effect.succeed({ text, key, maxResults: query.max_results ?? SEARCH_RESULTS })
}
