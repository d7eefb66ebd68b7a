import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Connections } from "#sql/Database"
import { distribution, type Table } from "../../suite/Distribution.ts"
import { kindOf, parsed } from "../../suite/ParsedSql.ts"
import { freshConnections } from "../../support/databases.ts"

const tables = Connections.use(
  ({ fast }) => fast<Table>`select c.relname::text as name,
      exists (select from pg_attribute where attrelid = c.oid and attname = 'realm_id') as "hasRealm",
      coalesce((select json_agg((select json_agg(attname) from pg_attribute
          where attrelid = indrelid and attnum = any (indkey))) from pg_index where indrelid = c.oid and indisunique), '[]') as "unique",
      coalesce((select json_agg(json_build_object('name', conname, 'to', confrelid::regclass::text) order by conname)
        from pg_constraint where conrelid = c.oid and contype = 'f'), '[]') as "foreignKeys"
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`
)

layer(freshConnections, { excludeTestServices: true })((it) => {
  it.effect("C231: sql/distribute.sql distributes every table, and no reference crosses nodes", () =>
    Effect.gen(function* () {
      const all = yield* tables
      const text = distribution(all)
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot("../../../sql/distribute.sql"))
      const placed = [
        ...text.matchAll(/create_(reference|distributed)_table\('(\w+)'(?:, '(\w+)', colocate_with => '(\w+)')?/g)
      ]
      expect(placed.map(([, , name]) => name).toSorted()).toEqual(
        all
          .map(({ name }) => name)
          .filter((name) => name !== "schema_migrations")
          .toSorted()
      )
      const groupOf = new Map(
        placed.map(([, how, name, , group]) => [name, how === "reference" ? "everywhere" : (group ?? "realms")])
      )
      const dropped = [...text.matchAll(/drop constraint (\w+);/g)].map(([, name]) => name)
      const astray = all.flatMap(({ foreignKeys, name }) =>
        foreignKeys.filter((key) => {
          const [own, other] = [groupOf.get(name), groupOf.get(key.to)]
          return !dropped.includes(key.name) && other !== "everywhere" && own !== other
        })
      )
      expect(astray).toEqual([])
      expect(parsed(text).map(kindOf).toSorted()).toEqual(
        [...dropped.map(() => "AlterTableStmt"), ...placed.map(() => "SelectStmt")].toSorted()
      )
    })
  )
})
