import { DateTime, Effect, type Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { values } from "#api/Wire"
import { type Page, type PageOf, positionOf } from "#domain/Page"
import { type Problem, problem } from "#domain/Rejected"
import type { Session } from "#domain/Session"
import { nonBlank } from "#domain/Text"
import { CurrentRequestContext } from "#platform/RequestContext"

/** Converts a time to a time_t: seconds since 1970, with up to three decimals. */
export const timeT = (at: DateTime.Utc): number => at.epochMilliseconds / 1000

export const timeTOrNull = (at: DateTime.Utc | null): number | null => (at === null ? null : timeT(at))

/** Converts a time_t to a time, rounded to the millisecond. */
export const utcFromTimeT = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(seconds * 1000))

/** The request attributes of a session. Missing attributes are null. */
export const requestAttributes = ({
  requestIp: ip,
  requestClient: client
}: Pick<Session, "requestIp" | "requestClient">) => (ip === null && client === null ? null : { ip, client })

/**
 * Returns the ID or cursor that a page begins after. A blank value counts as missing, because clients send it for the first
 * page (C11).
 */
export const startOf = ({ after }: { readonly after?: string }): string | undefined =>
  nonBlank(after ?? null) ?? undefined

/** Returns the page of a list that a query requests. `sort` defaults to the given order. */
export const requestedPage = <Sort extends string>(
  query: {
    readonly after?: string
    readonly max_results?: number
    readonly sort?: Sort
    readonly direction?: "asc" | "desc"
  },
  sort: Sort,
  direction: "asc" | "desc" = "asc"
): PageOf<Sort> => {
  const after = startOf(query)
  const order = query.sort ?? sort
  return {
    after: after === undefined ? undefined : positionOf(after, order),
    maxResults: query.max_results ?? 100,
    sort: order,
    direction: query.direction ?? direction
  }
}

/** A page of a list, the same in both versions. */
export const listBody =
  <A, Item>(itemBody: (item: A) => Item) =>
  ({ items, more, total }: Page<A>) => ({
    collection: items.map((item) => itemBody(item)),
    more_results: more,
    ...(total === undefined ? {} : { total_results: total })
  })

/** Returns a list's query with another `after`, for use in a link. */
const queryAfter = (url: string, after: string): string => {
  const at = url.indexOf("?")
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
  query.delete("after[]")
  query.set("after", after)
  return `?${query}`
}

/**
 * Adds `Link: <?…>; rel="next"` to the response if more items follow. The link is relative to the request's URL, and works
 * even if the last item of the page is deleted (C284).
 */
export const linkNext = Effect.fnUntraced(function* <A extends { readonly id: string }>({
  items,
  more,
  cursor = items.at(-1)?.id
}: Page<A>) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  // Search results aren't paged.
  if (!more || cursor === undefined || /[?&]search=[^&]/.test(url)) return
  const context = yield* CurrentRequestContext
  context.headers = { ...context.headers, link: `<${queryAfter(url, cursor)}>; rel="next"` }
})

/** A page of a list sorted by ID or name, with a link to the next page. */
export const linkedBody =
  <A extends { readonly id: string }, Item>(itemBody: (item: A) => Item) =>
  (page: Page<A>) =>
    Effect.as(linkNext(page), listBody(itemBody)(page))

/** Like `linkedBody`, but skips encoding, like `jsonResponse`. Encoding would check every member of up to 1,000 items. */
export const listResponse =
  <S extends Schema.Top, A extends { readonly id: string }>(_item: S, itemBody: (item: A) => S["Type"]) =>
  (page: Page<A>) =>
    Effect.map(linkedBody(itemBody)(page), (body) => HttpServerResponse.jsonUnsafe(body))

/** Returns whether `expand` contains a word. */
export const expands = (query: { readonly expand?: string | ReadonlyArray<string> }, word: string): boolean =>
  values(query.expand).includes(word)

/**
 * Merges a parameter that can be inside the wrapper or next to it. Two different values are a problem (C7); the result is then
 * undefined, so that no further problem is reported for the parameter.
 */
export const mergeParameter = <A>(
  field: string,
  inside: A | null | undefined,
  beside: A | null | undefined,
  problems: Array<Problem>
): A | undefined => {
  const one = inside ?? undefined
  const other = beside ?? undefined
  if (one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other)) {
    problems.push(problem(field, "conflicting"))
    return undefined
  }
  return one ?? other
}

/** Removes members whose value is `undefined`. */
export const omitUndefined = <A extends object>(members: A): { [K in keyof A]?: Exclude<A[K], undefined> } => {
  const defined: { [K in keyof A]?: Exclude<A[K], undefined> } = {}
  for (const name in members) {
    const value = members[name]
    if (isDefined(value)) defined[name] = value
  }
  return defined
}

const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined

/**
 * Sends a body of an endpoint's success schema without encoding it. The compiler checks the body's type, so the busiest reads
 * skip a second check at run time.
 */
export const jsonResponse = <S extends Schema.Top>(_schema: S, body: S["Type"], status = 200) =>
  HttpServerResponse.jsonUnsafe(body, { status })
