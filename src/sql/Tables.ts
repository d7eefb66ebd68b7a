import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** A table in the catalog. `columns` are the columns with stored values, which excludes generated ones. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** The number of rows in a table and a checksum of the rows that doesn't depend on their order. */
export interface TableChecksum {
  readonly rows: number
  readonly checksum: string
}

/**
 * The tables about the database itself: its migrations, the nodes that use it, and the transactions that changed realms.
 * Their rows are useless in another database.
 */
const INTERNAL_TABLES = ["schema_migrations", "nodes", "realm_changes"]

interface Described extends Table {
  readonly refersTo: ReadonlyArray<string>
}

/** Sorts tables so that each one follows the tables its foreign keys refer to. */
const inOrder = (tables: ReadonlyArray<Described>): ReadonlyArray<Table> => {
  const added = new Set<string>()
  const order: Array<Table> = []
  while (order.length < tables.length) {
    const next = tables.filter(({ name, refersTo }) => !added.has(name) && refersTo.every((other) => added.has(other)))
    if (next.length === 0) throw new Error("The foreign keys of the schema form a cycle.")
    for (const { name, columns } of next) {
      added.add(name)
      order.push({ name, columns })
    }
  }
  return order
}

/** All tables with content, each after the tables its foreign keys refer to. Tables about the database itself are not included. */
export const tablesOf = (sql: SqlClient) =>
  Effect.map(
    sql<Described>`
    select c.relname::text as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select distinct t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname <> all(${INTERNAL_TABLES}::text[])
    order by 1`,
    inOrder
  )

/**
 * Computes the number of a table's rows and their checksum, which is the sum of a part of each row's SHA-256. Reads the
 * whole table.
 */
export const checksumOf = (sql: SqlClient, { name }: Table) =>
  Effect.map(
    sql<TableChecksum>`select count(*)::float8 as rows, coalesce(sum(
        ('x' || left(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as checksum
      from ${sql(name)} t`,
    ([row]) => row ?? { rows: 0, checksum: "0" }
  )

/**
 * Prepares a transaction for reading whole tables: values have the same text form on every database, and statements have no
 * time limit.
 */
export const prepareForWholeTables = (sql: SqlClient) =>
  sql`select set_config(name, value, true) from (values ('TimeZone', 'UTC'), ('DateStyle', 'ISO'),
    ('bytea_output', 'hex'), ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) as s (name, value)`

/** All indexes, constraints and triggers of a database's tables, as `table.name`. */
export const structureOf = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
    select t.relname || '.' || i.relname as name from pg_index x
      join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = current_schema() and x.indisvalid
    union select t.relname || '.' || c.conname from pg_constraint c
      join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = current_schema() and c.contype in ('p', 'u', 'f', 'c') and c.convalidated
    union select t.relname || '.' || g.tgname from pg_trigger g
      join pg_class t on t.oid = g.tgrelid join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = current_schema() and not g.tgisinternal and g.tgenabled <> 'D'
    order by 1`,
    (rows) => rows.map(({ name }) => name)
  )
