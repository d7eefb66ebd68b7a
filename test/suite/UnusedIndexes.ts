import { Client } from "pg"

/** What makes the planner use an index wherever one fits, in tables without rows. */
const planned = [
  "set enable_seqscan = off",
  "set enable_sort = off",
  "set enable_hashjoin = off",
  "set enable_mergejoin = off",
  "set plan_cache_mode = force_generic_plan"
]

/** What the planner plans; `analyze` and the like it does not. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i

const parametersOf = (text: string): number => Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))

const indexesUsed = async (client: Client, text: string): Promise<ReadonlyArray<string>> => {
  const nulls = Array.from({ length: parametersOf(text) }, () => "null").join(", ")
  await client.query(`prepare probe as ${text}`)
  const { rows } = await client.query(`explain (format json) execute probe${nulls === "" ? "" : `(${nulls})`}`)
  await client.query("deallocate probe")
  return [...JSON.stringify(rows).matchAll(/"Index Name":"([^"]+)"/g)].map(([, name = ""]) => name)
}

/** What PostgreSQL itself runs on the rows that refer to one that is deleted, where these are deleted or changed with it. */
const foreignKeyStatements = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ text: string }>(`
    select 'delete from only ' || conrelid::regclass || ' where ' || (
      select string_agg(quote_ident(attname) || ' = $' || place, ' and ' order by place)
      from unnest(conkey) with ordinality as referring (number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
    ) as text
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype in ('c', 'n', 'd')`)
  return rows.map(({ text }) => text)
}

/**
 * The indexes of a migrated database that the plans of these statements, and of what foreign keys run, never use. Unique indexes are left out, because
 * each is a rule as well. Nothing is run: the statements are planned only.
 */
export const unusedIndexes = async (url: string, texts: Iterable<string>): Promise<ReadonlyArray<string>> => {
  const client = new Client(url)
  await client.connect()
  try {
    for (const setting of planned) await client.query(setting)
    const used = new Set<string>()
    for (const text of [...texts, ...(await foreignKeyStatements(client))]) {
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
