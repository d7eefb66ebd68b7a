import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageOf, Position } from "#domain/Page"

/** The columns that a list can be ordered by. */
export interface KeysetOrder {
  /** The id column, `id` by default. */
  readonly id?: string
  /**
   * The column to sort by before the id, unless the page is sorted by id. `ofRow` is the query for its value in the row
   * with a given id.
   */
  readonly sortKey?: { readonly column: string; readonly ofRow: (id: string) => Fragment }
}

/**
 * The `where`, `order by` and `limit` clauses for a page of a list, using keyset pagination on (sort key, id). They select
 * one more row than fits on the page, which shows whether more rows follow.
 */
export const keysetPage = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  { after, maxResults, sort, direction }: PageOf<string>,
  { id = "id", sortKey }: KeysetOrder = {}
): Fragment => {
  const comparison = sql.literal(direction === "asc" ? ">" : "<")
  const [idColumn, order] = [sql.literal(id), sql.literal(direction)]
  const limit = maxResults + 1
  if (sortKey === undefined || sort === "id") {
    const where = after === undefined ? conditions : [...conditions, sql`${idColumn} ${comparison} ${after.id}`]
    return sql`where ${sql.and(where)} order by ${idColumn} ${order} limit ${limit}`
  }
  const column = sql.literal(sortKey.column)
  const keyOf = ({ id, key }: Position) => (key === undefined ? sql`(${sortKey.ofRow(id)})` : sql`${key}`)
  const where =
    after === undefined
      ? conditions
      : [...conditions, sql`(${column}, ${idColumn}) ${comparison} (${keyOf(after)}, ${after.id})`]
  return sql`where ${sql.and(where)} order by ${column} ${order}, ${idColumn} ${order} limit ${limit}`
}
