import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Connections } from "#sql/Database"
import { freshConnections } from "../support/databases.ts"

/** The unique indexes that intentionally span realms. All other unique indexes apply within a realm. */
const acrossRealms = [
  // API keys are looked up by their digest before the realm is known, and may apply to all realms.
  "api_keys_pkey",
  "api_keys_by_digest",
  // An installation has one root key.
  "api_keys_root",
  // Apps are looked up by the host in a browser's request.
  "login_policies_subdomain",
  // A released subdomain stays reserved for its realm for a while.
  "released_subdomains_pkey"
]

const uniqueIndexes = Connections.use(
  ({ fast }) => fast<{ name: string; columns: ReadonlyArray<string> }>`
    select index.relname as name,
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey)) as columns
    from pg_index
    join pg_class as index on index.oid = indexrelid
    join pg_attribute as realm on realm.attrelid = indrelid and realm.attname = 'realm_id'
    where indisunique and index.relnamespace = 'public'::regnamespace
    order by 1`
)

const foreignKeys = Connections.use(
  ({ fast }) => fast<{ name: string; columns: ReadonlyArray<string>; target: ReadonlyArray<string> }>`
    select conname as name,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns,
      array(select attname::text from pg_attribute where attrelid = confrelid and attnum = any (confkey)) as target
    from pg_constraint
    join pg_attribute as realm on realm.attrelid = conrelid and realm.attname = 'realm_id'
    where contype = 'f' and connamespace = 'public'::regnamespace
    order by 1`
)

/** Every table, and every unique index without a realm id, whether or not its table has a realm id. */
const documented = Connections.use(
  ({ fast }) => fast<{ name: string }>`
    select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'
    union all select index.relname from pg_index join pg_class as index on index.oid = indexrelid
    where indisunique and index.relnamespace = 'public'::regnamespace and not exists (
      select from pg_attribute where attrelid = indrelid and attnum = any (indkey) and attname = 'realm_id')`
)

/** Everything in the schema that contains code: defaults, checks, generated columns, functions, views. */
const expressions = Connections.use(
  ({ fast }) => fast<{ name: string; text: string }>`
    select adrelid::regclass || '.' || attname as name, pg_get_expr(adbin, adrelid) as text
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    union all select conname, pg_get_constraintdef(oid) from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace
    union all select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select viewname, definition from pg_views where schemaname = 'public'`
)

const generatedIds = Connections.use(
  ({ fast }) => fast<{ name: string }>`
    select attrelid::regclass || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = 'public'::regnamespace`
)

const undetermined =
  /\b(now|random\w*|gen_random\w*|uuid\w*|timeofday|\w+_timestamp|nextval)\s*\(|\bcurrent_(date|time|timestamp)|\blocaltime|'(now|today|tomorrow|yesterday)'/i

layer(freshConnections, { excludeTestServices: true })((it) => {
  it.effect("unique indexes of tables with a realm include the realm", () =>
    Effect.gen(function* () {
      const indexes = yield* uniqueIndexes
      const wide = indexes.filter(({ columns }) => !columns.includes("realm_id")).map(({ name }) => name)
      expect(wide.sort()).toEqual([...acrossRealms].sort())
      expect(indexes.length).toBeGreaterThan(acrossRealms.length)
    })
  )

  it.effect("foreign keys of tables with a realm include the realm", () =>
    Effect.gen(function* () {
      const keys = yield* foreignKeys
      expect(keys.filter(({ columns }) => !columns.includes("realm_id"))).toEqual([])
      const astray = keys.filter(({ columns, target }) => columns.length > 1 && !target.includes("realm_id"))
      expect(astray).toEqual([])
      expect(keys.length).toBeGreaterThan(5)
    })
  )

  it.effect("docs/schema.md lists every table and everything that is unique across realms", () =>
    Effect.gen(function* () {
      const page = readFileSync(join(resolve(import.meta.dirname, "../.."), "docs/schema.md"), "utf8")
      const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
      expect(listed.toSorted()).toEqual((yield* documented).map(({ name }) => name).toSorted())
    })
  )

  it.effect("the schema never uses the database's own clock, randomness or IDs", () =>
    Effect.gen(function* () {
      const found = yield* expressions
      expect(found.filter(({ text }) => undetermined.test(text))).toEqual([])
      expect(yield* generatedIds).toEqual([])
      expect(found.length).toBeGreaterThan(5)
    })
  )
})
