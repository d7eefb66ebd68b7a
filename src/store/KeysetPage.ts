import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageOf } from "#domain/Page"

/** What a list is ordered by. */
export interface KeysetOrder {
  /** The column of ids: `id` by default. */
  readonly id?: string
  /** The column that is compared before the id, unless a page is sorted by id, and the query for its value in one row. */
  readonly sortKey?: { readonly column: string; readonly ofRow: (id: string) => Fragment }
}

/**
 * The clauses that read one page of a list by its keyset, (sort key, id): `where`, `order by` and `limit`. They read one
 * row more than the page holds, which tells whether more follow.
 */
export const keysetPage = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  { after, maxResults, sort, direction }: PageOf<string>,
  { id = "id", sortKey }: KeysetOrder = {}
): Fragment => {
  const beyond = sql.literal(direction === "asc" ? ">" : "<")
  const [idColumn, towards] = [sql.literal(id), sql.literal(direction)]
  const limit = maxResults + 1
  if (sortKey === undefined || sort === "id") {
    const where = after === undefined ? conditions : [...conditions, sql`${idColumn} ${beyond} ${after}`]
    return sql`where ${sql.and(where)} order by ${idColumn} ${towards} limit ${limit}`
  }
  const column = sql.literal(sortKey.column)
  const where =
    after === undefined
      ? conditions
      : [...conditions, sql`(${column}, ${idColumn}) ${beyond} ((${sortKey.ofRow(after)}), ${after})`]
  return sql`where ${sql.and(where)} order by ${column} ${towards}, ${idColumn} ${towards} limit ${limit}`
}
