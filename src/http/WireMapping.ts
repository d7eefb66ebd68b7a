import { DateTime, Effect, type Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { values } from "#api/Wire"
import { type Page, type PageOf, positionOf } from "#domain/Page"
import { type Problem, problem } from "#domain/Rejected"
import type { Session } from "#domain/Session"
import { presence } from "#domain/Text"
import { CurrentRequestContext } from "#platform/RequestContext"

/** time_t: seconds since 1970, with up to three decimals. */
export const timeT = (at: DateTime.Utc): number => at.epochMilliseconds / 1000

export const timeTOrNull = (at: DateTime.Utc | null): number | null => (at === null ? null : timeT(at))

/** The point in time of a time_t, to the millisecond. */
export const utcFromTimeT = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(seconds * 1000))

/** The request attributes of a session; null where there are none. */
export const requestAttributes = ({ requestIp: ip, requestClient: client }: Session) =>
  ip === null && client === null ? null : { ip, client }

/** What a page begins after: an id or a cursor. A blank one is none, as of someone who has seen no page yet (C11). */
export const startOf = ({ after }: { readonly after?: string }): string | undefined =>
  presence(after ?? null) ?? undefined

/** The part of a list that a query asks for; in this order unless it says otherwise. */
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

/** A page of a list as both versions show it. */
export const listBody =
  <A, Item>(itemBody: (item: A) => Item) =>
  ({ items, more }: Page<A>) => ({ collection: items.map((item) => itemBody(item)), more_results: more })

/** The query of a list with another place to begin after, as the target of a link. */
const queryAfter = (url: string, after: string): string => {
  const at = url.indexOf("?")
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
  query.delete("after[]")
  query.set("after", after)
  return `?${query}`
}

/**
 * Adds `Link: <?…>; rel="next"` to the response, where more items follow. The link is relative to the request's own URL, and
 * works when the last item of the page is gone (C284).
 */
export const linkNext = Effect.fnUntraced(function* <A extends { readonly id: string }>({
  items,
  more,
  cursor = items.at(-1)?.id
}: Page<A>) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  // What a search finds has no pages.
  if (!more || cursor === undefined || /[?&]search=[^&]/.test(url)) return
  const context = yield* CurrentRequestContext
  context.headers = { ...context.headers, link: `<${queryAfter(url, cursor)}>; rel="next"` }
})

/** A page of a list in the order of ids or names, with a link to the next one. */
export const linkedBody =
  <A extends { readonly id: string }, Item>(itemBody: (item: A) => Item) =>
  (page: Page<A>) =>
    Effect.as(linkNext(page), listBody(itemBody)(page))

/** `linkedBody`, sent as it is, like `jsonResponse`: encoding would check every member of up to 1,000 items. */
export const listResponse =
  <S extends Schema.Top, A extends { readonly id: string }>(_item: S, itemBody: (item: A) => S["Type"]) =>
  (page: Page<A>) =>
    Effect.map(linkedBody(itemBody)(page), (body) => HttpServerResponse.jsonUnsafe(body))

/** Whether `expand` asks for this. */
export const expands = (query: { readonly expand?: string | ReadonlyArray<string> }, word: string): boolean =>
  values(query.expand).includes(word)

/**
 * A parameter that may stand inside the wrapper or beside it: both, and different, is a problem (C7). Then it has no value, so
 * that nothing else is said of either.
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

/** The members that were given, under the core's names. `undefined` members are left out. */
export const omitUndefined = <A extends object>(members: A): { [K in keyof A]?: Exclude<A[K], undefined> } => {
  const kept: { [K in keyof A]?: Exclude<A[K], undefined> } = {}
  for (const name in members) {
    const value = members[name]
    if (isGiven(value)) kept[name] = value
  }
  return kept
}

const isGiven = <V>(value: V): value is Exclude<V, undefined> => value !== undefined

/**
 * A body of an endpoint's success schema, sent as it is. Its type is checked here; the busiest reads are spared the
 * second check that encoding would make.
 */
export const jsonResponse = <S extends Schema.Top>(_schema: S, body: S["Type"], status = 200) =>
  HttpServerResponse.jsonUnsafe(body, { status })
