import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"

/** Runs a statement on a service's database, for API tests that look at stored rows. Resolves to the rows. */
export const query = <Row>(statement: Statement<Row>): Promise<ReadonlyArray<Row>> =>
  // A tracing span, which nobody reads, would take as long as the statement itself.
  Effect.runPromise(Effect.withTracerEnabled(statement, false))

/** The tables that have a column with this name, in alphabetical order. */
export const tablesWith = async (sql: SqlClient, column: string): Promise<ReadonlyArray<string>> => {
  const rows = await query(sql<{ readonly name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = ${column} order by 1`)
  return rows.map(({ name }) => name)
}

/** Every table with its rows as text, one row a line. Bytes are in hex. */
export const dump = async (sql: SqlClient): Promise<ReadonlyArray<readonly [table: string, text: string]>> => {
  const tables = await query(
    sql<{
      readonly name: string
    }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  )
  const texts: Array<readonly [string, string]> = []
  for (const { name } of tables) {
    const rows = await query(sql<{ readonly line: string }>`select t::text as line from ${sql(name)} t`)
    texts.push([name, rows.map(({ line }) => line).join("\n")])
  }
  return texts
}
