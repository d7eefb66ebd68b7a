import { Effect } from "effect"

/** The page of a list to return: keyset pagination on (sort key, id) (C11). */
export interface PageOf<Sort extends string> {
  readonly after: string | undefined
  readonly maxResults: number
  readonly sort: Sort
  readonly direction: "asc" | "desc"
}

/** A page of items, and whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly more: boolean
}

/** The page of a query that fetched one row more than `maxResults`. */
export const pageOf = <A>(rows: ReadonlyArray<A>, maxResults: number): Page<A> =>
  rows.length > maxResults ? { items: rows.slice(0, maxResults), more: true } : { items: rows, more: false }

/**
 * Checks the `after` id of a page with `find`, which fails if the id is malformed, unknown or not accessible to the
 * caller.
 */
export const checkAfter = <E, R>(
  { after }: Pick<PageOf<string>, "after">,
  find: (id: string) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> => (after === undefined ? Effect.void : Effect.asVoid(find(after)))
