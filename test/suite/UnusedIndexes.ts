import { Client } from "pg"

/** Settings with which the planner uses every suitable index, even on empty tables. */
const planned = [
  "set enable_seqscan = off",
  "set enable_sort = off",
  "set enable_hashjoin = off",
  "set enable_mergejoin = off",
  "set plan_cache_mode = force_generic_plan"
]

/** Statements that the planner plans, unlike `analyze` and others. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i

const parametersOf = (text: string): number => Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))

const indexesUsed = async (client: Client, text: string): Promise<ReadonlyArray<string>> => {
  const nulls = Array.from({ length: parametersOf(text) }, () => "null").join(", ")
  await client.query(`prepare probe as ${text}`)
  const { rows } = await client.query(`explain (format json) execute probe${nulls === "" ? "" : `(${nulls})`}`)
  await client.query("deallocate probe")
  return [...JSON.stringify(rows).matchAll(/"Index Name":"([^"]+)"/g)].map(([, name = ""]) => name)
}

/**
 * The indexes that start with the columns of a foreign key with cascading deletes or updates. PostgreSQL looks up these
 * rows itself, and its choice of index on empty tables is arbitrary.
 */
const indexesOfForeignKeys = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_constraint
    join pg_index on indrelid = conrelid
    join pg_class on pg_class.oid = indexrelid
    where contype = 'f' and confdeltype in ('c', 'n', 'd')
      and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey`)
  return rows.map(({ name }) => name)
}

/**
 * The indexes of a migrated database that are used neither by the plans of these statements nor by a foreign key.
 * Unique indexes are left out, since they are also constraints. The statements are only planned, not run.
 */
export const unusedIndexes = async (url: string, texts: Iterable<string>): Promise<ReadonlyArray<string>> => {
  const client = new Client(url)
  await client.connect()
  try {
    for (const setting of planned) await client.query(setting)
    const used = new Set(await indexesOfForeignKeys(client))
    for (const text of texts) {
      if (PLANNED.test(text)) for (const name of await indexesUsed(client, text)) used.add(name)
    }
    const { rows } = await client.query<{ name: string }>(`
      select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace and not indisunique order by relname`)
    return rows.map(({ name }) => name).filter((name) => !used.has(name))
  } finally {
    await client.end()
  }
}
