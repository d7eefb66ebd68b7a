/** The properties of a table that determine its place in a distributed database. */
export interface Table {
  readonly name: string
  readonly hasRealm: boolean
  /** The columns of each unique index. */
  readonly unique: ReadonlyArray<ReadonlyArray<string>>
  /** The table's foreign keys with the tables that they reference. */
  readonly foreignKeys: ReadonlyArray<{ readonly name: string; readonly to: string }>
}

/** Tables without a realm whose rows belong to another shared subject. */
const byOther: Readonly<Record<string, string>> = { quotas: "subject", idempotent_requests: "api_key_id" }

/** Tables that only the migrator reads. */
const local = ["schema_migrations"]

/** Orders tables so that each comes before those that reference it. */
const inOrder = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const ordered: Array<Table> = []
  const add = (table: Table | undefined) => {
    if (table === undefined || ordered.includes(table)) return
    for (const { to } of table.foreignKeys) if (to !== table.name) add(tables.find(({ name }) => name === to))
    ordered.push(table)
  }
  for (const table of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) add(table)
  return ordered
}

/**
 * Generates the SQL that distributes the tables with Citus. The rows of a realm are stored on one node, together with
 * the realm. A table whose rows are looked up by a value that is unique across realms is copied to every node.
 */
export const distribution = (all: ReadonlyArray<Table>): string => {
  const tables = inOrder(all.filter(({ name }) => !local.includes(name)))
  const isShared = ({ hasRealm, name, unique }: Table) =>
    name !== "realms" &&
    byOther[name] === undefined &&
    (!hasRealm || unique.some((columns) => !columns.includes("realm_id")))
  const shared = tables.filter(isShared)
  const dropped = shared.flatMap(({ foreignKeys, name }) =>
    foreignKeys
      .filter(({ to }) => !shared.some((table) => table.name === to))
      .map((key) => `alter table ${name} drop constraint ${key.name};`)
  )
  const spread = tables.filter((table) => !isShared(table) && table.name !== "realms")
  return `-- Distributes the schema by realm on Citus 12 or later: generated from the catalog by test/sql/postgres/Distribution.test.ts.
-- docs/scale.md lists the known gaps. Run it once, on an empty database prepared by sallyport migrate.

-- A table copied to every node can't have foreign keys to a distributed table.
${dropped.join("\n")}

-- Looked up by values that are unique across realms: copied to every node.
${shared.map(({ name }) => `select create_reference_table('${name}');`).join("\n")}

-- Distributed by realm: all rows of a realm are on the same node.
select create_distributed_table('realms', 'id', shard_count => 128);
${spread
  .filter(({ name }) => byOther[name] === undefined)
  .map(({ name }) => `select create_distributed_table('${name}', 'realm_id', colocate_with => 'realms');`)
  .join("\n")}

-- Belong to an API key or an address instead of a realm.
${spread
  .flatMap(({ name }) => (byOther[name] === undefined ? [] : [{ name, column: byOther[name] }]))
  .map(({ column, name }) => `select create_distributed_table('${name}', '${column}', colocate_with => 'none');`)
  .join("\n")}
`
}
