import { withClient } from "../../test/harness/Database.ts"

/** The number of updated rows of a table, and the number of updates that changed no index. */
export interface TableUpdates {
  readonly name: string
  readonly updated: number
  readonly hot: number
}

/** PostgreSQL's own counts of updated rows, by table. Each connection reports its counts within a second. */
export const countUpdates = (url: string): Promise<ReadonlyArray<TableUpdates>> =>
  withClient(url, async (client) => {
    await new Promise((resume) => setTimeout(resume, 1_500))
    const { rows } = await client.query<TableUpdates>(
      `select relname as name, n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables
        where schemaname = 'public' order by n_tup_upd desc, relname`
    )
    return rows
  })

/** Returns the updates between two counts. */
export const updatesBetween = (
  before: ReadonlyArray<TableUpdates>,
  after: ReadonlyArray<TableUpdates>
): ReadonlyArray<TableUpdates> =>
  after.flatMap(({ name, updated, hot }) => {
    const then = before.find((table) => table.name === name) ?? { updated: 0, hot: 0 }
    return updated > then.updated ? [{ name, updated: updated - then.updated, hot: hot - then.hot }] : []
  })
