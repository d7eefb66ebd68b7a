import { globSync, readFileSync } from "node:fs"
import { Redacted } from "effect"
import { expect, test } from "vitest"
import { freshDatabase, withDatabase } from "../../support/databases.ts"

interface UniqueIndex {
  readonly table: string
  readonly columns: ReadonlyArray<string>
}

const uniqueIndexes = async (): Promise<ReadonlyArray<UniqueIndex>> => {
  const target = await freshDatabase()
  const url = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  return withDatabase(
    url,
    (
      sql
    ) => sql<UniqueIndex>`select t.relname::text as table, array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) as columns
      from pg_index i join pg_class t on t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
      where i.indisunique and t.relnamespace = 'public'::regnamespace group by i.indexrelid, t.relname`
  )
}

const insertion =
  /insert into (?<table>\w+)\b(?:(?!insert into)[^;])*?on conflict \((?<columns>[\w, ]+)\)[^;]*?do (?:nothing|update)/g

/**
 * The inserts in a source file that name one unique index in `on conflict` although another index contains all of its
 * columns. If two sessions insert the same row simultaneously, PostgreSQL may find the conflict in either index. It
 * raises an error if that index is not the named one.
 */
const clashes = (source: string, indexes: ReadonlyArray<UniqueIndex>): ReadonlyArray<string> =>
  [...source.matchAll(insertion)].flatMap(({ groups = {} }) => {
    const named = (groups["columns"] ?? "").split(", ")
    return indexes
      .filter(({ table }) => table === groups["table"])
      .filter(({ columns }) => columns.length > named.length && named.every((column) => columns.includes(column)))
      .map(({ table, columns }) => `${table} (${named.join(", ")}) beside (${columns.join(", ")})`)
  })

test("RG-20: no insert handles conflicts on one index if the row may first conflict on another index", async () => {
  const indexes = await uniqueIndexes()
  const planted =
    "sql`insert into api_key_peppers (realm_id, id, secret) values (1, 2, 3) on conflict (realm_id) do nothing`"
  expect(clashes(planted, indexes)).toEqual(["api_key_peppers (realm_id) beside (realm_id, id)"])
  const sources = globSync("src/**/*.ts").map((file) => readFileSync(file, "utf8"))
  expect(sources.flatMap((source) => [...source.matchAll(insertion)]).length).toBeGreaterThan(10)
  expect(sources.flatMap((source) => clashes(source, indexes))).toEqual([])
})
