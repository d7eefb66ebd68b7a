import { Effect } from "effect"
import type { List } from "#client/List"
import { print, printStatus } from "./Output.ts"
import { table } from "./Table.ts"

/** The maximum number of items per request. */
const PAGE = 1_000

/** The first items of a list. */
export interface FirstItems<A> {
  readonly items: ReadonlyArray<A>
  /** Whether the list has further items. */
  readonly isCut: boolean
}

/** Collects up to `limit` items of a list. */
export const limitedList = async <A>(limit: number, list: (maxResults: number) => List<A>): Promise<FirstItems<A>> => {
  const items: Array<A> = []
  for await (const page of list(Math.min(limit, PAGE)).pages()) {
    items.push(...page.items)
    if (items.length >= limit) return { items: items.slice(0, limit), isCut: items.length > limit || page.more_results }
  }
  return { items, isCut: false }
}

/** Prints a list as a table, and reports if it is empty or has further items. `what`: the plural of the resource. */
export const printList = Effect.fnUntraced(function* <A>(
  what: string,
  { items, isCut }: FirstItems<A>,
  headers: ReadonlyArray<string>,
  cells: (item: A) => ReadonlyArray<string>
) {
  yield* print(items, items.length === 0 ? `No ${what} found.` : table([headers, ...items.map(cells)]))
  if (isCut) yield* printStatus(`There are more ${what}. Use --limit to show more than ${items.length}.`)
})
