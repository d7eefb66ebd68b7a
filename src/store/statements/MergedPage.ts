import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageOf } from "#domain/Page"
import { type KeysetOrder, keysetPage } from "./KeysetPage.ts"

/** The tables of a page, and the columns of its rows with their tables' aliases. */
export interface PageSource {
  readonly columns: string
  readonly from: string
}

/** All combinations of one value per filter. For example, `{state: ["a", "b"]}` has two. */
export const combinations = (filters: Readonly<Record<string, ReadonlyArray<string>>>): ReadonlyArray<string> =>
  Object.entries(filters).reduce<ReadonlyArray<string>>(
    (found, [column, values]) => found.flatMap((some) => values.map((value) => `${some} and ${column} = '${value}'`)),
    [""]
  )

/**
 * The statement for a page of a list filtered by columns with few distinct values. For each combination of values, it reads
 * the first rows in order from an index that begins with these columns, and merges them. No other rows are read, even if a
 * combination is rare. The values become part of the statement's text.
 */
export const mergedPage = (
  sql: SqlClient,
  { columns, from }: PageSource,
  filters: Readonly<Record<string, ReadonlyArray<string>>>,
  conditions: ReadonlyArray<Fragment>,
  page: PageOf<string>,
  order: KeysetOrder = {}
): Fragment => {
  const sorted = page.sort === "id" ? undefined : order.sortKey
  const streams = combinations(filters)
  const key = sorted === undefined || streams.length === 1 ? "" : `, ${sorted.column} as sort_key`
  const read = sql.literal(`select ${columns}${key} from ${from}`)
  const stream = (combination: string) => {
    const [first, ...others] = conditions
    const within = first === undefined ? [] : [sql`${first} ${sql.literal(combination)}`, ...others]
    return sql`${read} ${keysetPage(sql, within, page, order)}`
  }
  const [only, ...more] = streams.map(stream)
  if (only === undefined || more.length === 0) return only ?? sql``
  const direction = sql.literal(page.direction)
  const names = sql.literal(
    columns
      .split(",")
      .map((column) => column.slice(column.indexOf(".") + 1))
      .join(",")
  )
  const by = sorted === undefined ? sql`id ${direction}` : sql`sort_key ${direction}, id ${direction}`
  const merged = sql.join(" union all ", false)([only, ...more].map((fragment) => sql`(${fragment})`))
  return sql`select ${names} from (${merged}) merged order by ${by} limit ${page.maxResults + 1}`
}
