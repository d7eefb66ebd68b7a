import { DateTime, Effect, Option, Result } from "effect"
import { decodeString, encode } from "effect/encoding/Base64Url"
import { isId, type Kind } from "./Ids.ts"

/** A position in a list, given by the id of an item. */
export interface Position {
  readonly id: string
  /** The item's sort key. If undefined, the key is read from the item, which must still exist. */
  readonly key?: string | undefined
}

/** The page of a list to return: keyset pagination on (sort key, id) (C11). */
export interface PageOf<Sort extends string> {
  readonly after: Position | undefined
  readonly maxResults: number
  readonly sort: Sort
  readonly direction: "asc" | "desc"
}

/** A page of items, with the information whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly more: boolean
  /** The `after` value for the next page, in a list that is not sorted by id. */
  readonly cursor?: string | undefined
  /** The number of items on all pages, counted up to `MAX_TOTAL`, if it was requested. */
  readonly total?: number | undefined
}

/** The number of items up to which a list is counted. */
export const MAX_TOTAL = 10_000

/** Builds the page from a query that fetched one row more than `maxResults`. */
export const pageOf = <A>(rows: ReadonlyArray<A>, maxResults: number): Page<A> =>
  rows.length > maxResults ? { items: rows.slice(0, maxResults), more: true } : { items: rows, more: false }

/**
 * The sort key of an item for each order except by id, as stored in the database. Undefined if the caller may not know it.
 * Times are in ISO 8601 or `-infinity`.
 */
export type SortKeys<Sort extends string, A> = {
  readonly [S in Exclude<Sort, "id">]: (item: A) => string | undefined
}

/** The separator between the parts of a cursor. Neither ids nor sort orders contain it. */
const SEPARATOR = "."

const isSorted = <Sort extends string>(sort: Sort): sort is Exclude<Sort, "id"> => sort !== "id"

/**
 * Like `pageOf`, for a list with several sort orders. The next page starts at a cursor, which works even if its row is gone
 * by then.
 */
export const sortedPageOf = <Sort extends string, A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  { maxResults, sort }: Pick<PageOf<Sort>, "maxResults" | "sort">,
  keys: SortKeys<Sort, A>
): Page<A> => {
  const page = pageOf(rows, maxResults)
  const last = page.more ? page.items.at(-1) : undefined
  if (last === undefined || !isSorted(sort)) return page
  const key = keys[sort](last)
  return key === undefined ? page : { ...page, cursor: [last.id, sort, encode(key)].join(SEPARATOR) }
}

/** Returns whether the database accepts a string as a time. Only real times in the format of `formatIso` count. */
const isTime = (key: string): boolean =>
  key === "-infinity" ||
  (/^(?!0000)\d{4}-/.test(key) && Option.exists(DateTime.make(key), (time) => DateTime.formatIso(time) === key))

/** The sort orders by time. */
const timeSorts: ReadonlySet<string> = new Set(["last_login"])

/** Parses `after`: an id, or a cursor for the same sort order. A cursor for another order counts as its id. */
export const positionOf = (after: string, sort: string): Position => {
  const [id = "", order, encoded = "", ...rest] = after.split(SEPARATOR)
  if (order === undefined) return { id: after }
  const key = Result.getOrUndefined(decodeString(encoded))
  if (rest.length > 0 || key === undefined || key.includes("\0")) return { id: after }
  if (order !== sort) return { id }
  return timeSorts.has(sort) && !isTime(key) ? { id: after } : { id, key }
}

/**
 * Checks that the position before a page is valid. The item may be gone if the list is sorted by id or if the position is a
 * cursor. Otherwise `find` looks it up. A malformed id also fails.
 */
export const checkAfter = <E, R>(
  { after, sort }: Pick<PageOf<string>, "after" | "sort">,
  kind: Kind,
  find: (id: string) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> =>
  after === undefined || (isId(kind, after.id) && (sort === "id" || after.key !== undefined))
    ? Effect.void
    : Effect.asVoid(find(after.id))
