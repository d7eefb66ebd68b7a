import { Effect } from "effect"

/** The part of a list that is asked for: keyset paging on (sort key, id) (decision 11). */
export interface PageOf<Sort extends string> {
  readonly after: string | undefined
  readonly maxResults: number
  readonly sort: Sort
  readonly direction: "asc" | "desc"
}

/** One page: its items and whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly more: boolean
}

/** A page of what a query for one row more than asked for brought. */
export const pageOf = <A>(rows: ReadonlyArray<A>, maxResults: number): Page<A> =>
  rows.length > maxResults ? { items: rows.slice(0, maxResults), more: true } : { items: rows, more: false }

/** Checks the `after` of a page with `find`, which fails where an id is malformed, unknown or out of the caller's reach. */
export const checkAfter = <E, R>(
  { after }: Pick<PageOf<string>, "after">,
  find: (id: string) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> => (after === undefined ? Effect.void : Effect.asVoid(find(after)))
