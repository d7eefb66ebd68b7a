import { DateTime, Effect, Option, Result } from "effect"
import { decodeString, encode } from "effect/encoding/Base64Url"
import { isId, type Kind } from "./Ids.ts"

/** A position in a list: that of the item with this id. */
export interface Position {
  readonly id: string
  /** The item's sort key. Undefined: it is read from the item, which then must still exist. */
  readonly key?: string | undefined
}

/** The page of a list to return: keyset pagination on (sort key, id) (C11). */
export interface PageOf<Sort extends string> {
  readonly after: Position | undefined
  readonly maxResults: number
  readonly sort: Sort
  readonly direction: "asc" | "desc"
}

/** A page of items, and whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly more: boolean
  /** The value of `after` for the next page, in a list that is not sorted by id. */
  readonly cursor?: string | undefined
}

/** The page of a query that fetched one row more than `maxResults`. */
export const pageOf = <A>(rows: ReadonlyArray<A>, maxResults: number): Page<A> =>
  rows.length > maxResults ? { items: rows.slice(0, maxResults), more: true } : { items: rows, more: false }

/**
 * The sort key of an item in each order except by id, as the database stores it. Undefined: the caller may not know it. Times
 * are in ISO 8601, or `-infinity`.
 */
export type SortKeys<Sort extends string, A> = {
  readonly [S in Exclude<Sort, "id">]: (item: A) => string | undefined
}

/** Separates the parts of a cursor. Ids and the names of orders never contain it. */
const SEPARATOR = "."

const isSorted = <Sort extends string>(sort: Sort): sort is Exclude<Sort, "id"> => sort !== "id"

/** `pageOf` for a list with several orders: the next page starts at a cursor, whose row may be gone by then. */
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

/** Whether the database accepts a text as a time. Only existing times in the form of `formatIso` count. */
const isTime = (key: string): boolean =>
  key === "-infinity" ||
  (/^(?!0000)\d{4}-/.test(key) && Option.exists(DateTime.make(key), (time) => DateTime.formatIso(time) === key))

/** The orders that sort by time. */
const timeSorts: ReadonlySet<string> = new Set(["last_login"])

/** The position that `after` names: an id, or a cursor of the same order. A cursor of another order counts as its id. */
export const positionOf = (after: string, sort: string): Position => {
  const [id = "", order, encoded = "", ...rest] = after.split(SEPARATOR)
  if (order === undefined) return { id: after }
  const key = Result.getOrUndefined(decodeString(encoded))
  if (rest.length > 0 || key === undefined || key.includes("\0")) return { id: after }
  if (order !== sort) return { id }
  return timeSorts.has(sort) && !isTime(key) ? { id: after } : { id, key }
}

/**
 * Checks the position after which a page begins. In the order of ids, and at a cursor, the item may be gone. Otherwise `find`
 * looks it up. Also fails if the id is malformed.
 */
export const checkAfter = <E, R>(
  { after, sort }: Pick<PageOf<string>, "after" | "sort">,
  kind: Kind,
  find: (id: string) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> =>
  after === undefined || (isId(kind, after.id) && (sort === "id" || after.key !== undefined))
    ? Effect.void
    : Effect.asVoid(find(after.id))
