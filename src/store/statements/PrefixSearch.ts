import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { prefixEnd } from "#domain/Search"
import { combinations } from "./MergedPage.ts"

/** A column and the prefix that its values must have. */
export interface Prefix {
  readonly column: string
  readonly prefix: string
}

/** The rows to search and the way to return matches. */
export interface PrefixSearch {
  readonly table: "users" | "orgs"
  /** The columns to return, from a table named `t`. */
  readonly columns: string
  /** The order of the matches that are not exact. Exact matches come first. */
  readonly order: string
  readonly realmId: string
  /** Further conditions on the table's columns that all rows must meet. */
  readonly conditions: ReadonlyArray<Fragment>
  /** Filters by columns with few distinct values. */
  readonly filters: Readonly<Record<string, ReadonlyArray<string>>>
  /** The columns whose index begins with the filter columns. */
  readonly filteredByIndex: ReadonlyArray<Prefix>
  /** The columns whose index lacks the filter columns. The filters are applied to the first rows found in the index. */
  readonly filteredAfterwards: ReadonlyArray<Prefix>
  readonly limit: number
}

/** How many rows to read for each row to return, if filters may drop some. */
const ROWS_FOR_EACH = 10

/**
 * The statement that finds rows by prefixes of several columns. It reads the first rows with the prefix from each column's
 * index, in order and at most `limit`. Exact matches come first. The number of rows read does not depend on the number of
 * matches.
 */
export const prefixSearch = (
  sql: SqlClient,
  { table, columns, order, realmId, conditions, filters, filteredByIndex, filteredAfterwards, limit }: PrefixSearch
): Fragment => {
  const from = sql.literal(table)
  const found = ({ column, prefix }: Prefix) => {
    const name = sql.literal(column)
    const end = prefixEnd(prefix)
    const within = [sql`realm_id = ${realmId}`, sql`${name} >= ${prefix}`]
    // An exact match may be followed by a separator and another value. In sort names, that is the other part of the name.
    const exact = sql`${name} < ${`${prefix}\u0002`}`
    return { name, exact, within: end === undefined ? within : [...within, sql`${name} < ${end}`] }
  }
  const branches = [
    ...filteredByIndex.flatMap((prefix) => {
      const { name, exact, within } = found(prefix)
      return combinations(filters).map(
        (combination) => sql`(select id, ${exact} as exact from ${from}
          where ${sql.and([...within, ...conditions])} ${sql.literal(combination)} order by ${name}, id limit ${limit})`
      )
    }),
    ...filteredAfterwards.map((prefix) => {
      const { name, exact, within } = found(prefix)
      const chosen = Object.entries(filters).map(([column, values]) => sql`${sql.literal(column)} in ${sql.in(values)}`)
      return sql`(select id, exact from (select *, ${exact} as exact from ${from} where ${sql.and([...within, ...conditions])}
        order by ${name} limit ${limit * ROWS_FOR_EACH}) few where ${sql.and(chosen)} limit ${limit})`
    })
  ]
  return sql`select ${sql.literal(columns)} from (
      select id, bool_or(exact) as exact from (${sql.join(" union all ", false)(branches)}) matches group by id
    ) found cross join lateral (
      select * from ${from} where realm_id = ${realmId} and id = found.id offset 0) t
    order by found.exact desc, ${sql.literal(order)}, t.id limit ${limit}`
}
