import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { prefixEnd } from "#domain/Search"
import { combinations } from "./MergedPage.ts"

/** A column, and what its values begin with. */
export interface Prefix {
  readonly column: string
  readonly prefix: string
}

/** Where rows are searched, and how those found are shown. */
export interface PrefixSearch {
  readonly table: "users" | "orgs"
  /** The columns to return, of a table named `t`. */
  readonly columns: string
  /** What follows in the order of what is found, after exact matches come first. */
  readonly order: string
  readonly realmId: string
  /** What every row fulfils besides, with the columns of the table. */
  readonly conditions: ReadonlyArray<Fragment>
  /** The columns with few values by which rows are filtered. */
  readonly filters: Readonly<Record<string, ReadonlyArray<string>>>
  /** The columns with an index that begins with those of the filters. */
  readonly merged: ReadonlyArray<Prefix>
  /** The columns with an index of their own. Of their first rows, the filters choose. */
  readonly filtered: ReadonlyArray<Prefix>
  readonly limit: number
}

/** How many rows are read for each that is sought, where filters choose among them. */
const ROWS_FOR_EACH = 10

/**
 * The statement that finds rows by prefixes of several columns. From the index of each column it reads the first rows of the
 * prefix in order, at most as many as are sought; exact matches are the very first. However many rows match, no others are read.
 */
export const prefixSearch = (
  sql: SqlClient,
  { table, columns, order, realmId, conditions, filters, merged, filtered, limit }: PrefixSearch
): Fragment => {
  const from = sql.literal(table)
  const found = ({ column, prefix }: Prefix) => {
    const name = sql.literal(column)
    const end = prefixEnd(prefix)
    const within = [sql`realm_id = ${realmId}`, sql`${name} >= ${prefix}`]
    // What follows a separator is another value: the first name after the last.
    const exact = sql`${name} < ${`${prefix}\u0002`}`
    return { name, exact, within: end === undefined ? within : [...within, sql`${name} < ${end}`] }
  }
  const branches = [
    ...merged.flatMap((prefix) => {
      const { name, exact, within } = found(prefix)
      return combinations(filters).map(
        (combination) => sql`(select id, ${exact} as exact from ${from}
          where ${sql.and([...within, ...conditions])} ${sql.literal(combination)} order by ${name}, id limit ${limit})`
      )
    }),
    ...filtered.map((prefix) => {
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
