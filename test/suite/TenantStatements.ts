import { Client } from "pg"
import { type Lookup, lookups, referenceTables } from "./AcrossRealms.ts"
import { kindOf, parsed } from "./ParsedSql.ts"
import { analyze, type Reference } from "./RealmBinding.ts"
import { GIVEN, type Schema, settle } from "./Relations.ts"

/** A statement with the test file that ran it first. */
export interface RanStatement {
  readonly text: string
  readonly file: string
}

/** The gate's findings in the statements of a run. */
export interface Findings {
  /** The problems, each with the statement and the test file that ran it first. */
  readonly problems: ReadonlyArray<string>
  /** The number of statements on tenant tables, and how many of them bind the realm of every row themselves. */
  readonly statements: number
  readonly bound: number
}

/**
 * The tables of a database and their columns. A table is a tenant table if it has a `realm_id` or is referenced by one
 * that does.
 */
export const readSchema = async (url: string): Promise<Schema> => {
  const client = new Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ table: string; column: string }>(`
      select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not attisdropped order by relname, attnum`)
    const { rows: owners } = await client.query<{ table: string; column: string }>(`
      select distinct owner.relname as table, key.attname as column from pg_constraint
      join pg_attribute own on own.attrelid = conrelid and own.attname = 'realm_id' and conkey = array[own.attnum]
      join pg_class owner on owner.oid = confrelid
      join pg_attribute key on key.attrelid = confrelid and confkey = array[key.attnum]
      where contype = 'f' and connamespace = 'public'::regnamespace`)
    const columns = new Map<string, ReadonlyArray<string>>()
    for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column])
    const tenants = rows.filter(({ column }) => column === "realm_id")
    return { columns, realmColumn: new Map([...tenants, ...owners].map(({ table, column }) => [table, column])) }
  } finally {
    await client.end()
  }
}

/** Statements that read and write rows. */
const CHECKED = new Set(["SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"])

/** The lists that a run is checked against. */
interface Listed {
  readonly lookups: ReadonlyArray<Lookup>
  readonly copied: Readonly<Record<string, string>>
}

const isFoundBy = ({ comparedBy, table }: Reference, text: string, { by, in: begins, tables }: Lookup): boolean =>
  tables.includes(table) && by.every((column) => comparedBy.has(column)) && (begins === undefined || begins.test(text))

/**
 * Checks that each statement binds the realm of each tenant row that it reads or writes, or that a listed lookup finds
 * the row. An unused lookup is also a problem.
 */
export const checkStatements = (
  schema: Schema,
  statements: Iterable<RanStatement>,
  listed: Listed = { lookups, copied: referenceTables }
): Findings => {
  const problems: Array<string> = []
  const needed = new Set<string>()
  const isCopied = (table: string | undefined) => table !== undefined && listed.copied[table] !== undefined
  /** Returns whether rows may be found without a realm. Records which list allows it. */
  const isListed = (reference: Reference, text: string): boolean => {
    const lookup = listed.lookups.find((each) => isFoundBy(reference, text, each))
    if (lookup !== undefined) needed.add(`${listed.lookups.indexOf(lookup)} ${reference.table}`)
    else if (isCopied(reference.table)) needed.add(reference.table)
    return lookup !== undefined || isCopied(reference.table)
  }
  let [count, bound] = [0, 0]
  for (const { text: written, file } of statements) {
    const text = written.replaceAll(/\s+/g, " ").trim()
    for (const statement of parsed(written).filter((each) => CHECKED.has(kindOf(each)))) {
      const { references, values, problems: found } = analyze(statement, schema)
      const unlisted = found.filter(({ table }) => !isCopied(table)).map(({ what }) => what)
      if (references.length > 0) count += 1
      if (references.length > 0 && references.every(({ realm }) => realm.isBound)) bound += 1
      for (const reference of references) {
        if (reference.realm.isBound) continue
        if (isListed(reference, text)) {
          reference.realm.any.push(GIVEN)
          settle(values)
          continue
        }
        const by = [...reference.comparedBy].toSorted().join(", ")
        unlisted.push(`no realm binds the rows of ${reference.table}, found by ${by === "" ? "nothing" : by}`)
      }
      problems.push(...unlisted.map((what) => `${what}, first in ${file}: ${text}`))
    }
  }
  listed.lookups.forEach(({ by, tables }, index) => {
    for (const table of tables) {
      if (!needed.has(`${index} ${table}`)) {
        problems.push(`no statement needs the look-up of ${table} by ${by.join(", ") || "nothing"}`)
      }
    }
  })
  for (const table of Object.keys(listed.copied)) {
    if (!needed.has(table)) problems.push(`no statement needs a copy of ${table} on each node`)
  }
  return { problems, statements: count, bound }
}
