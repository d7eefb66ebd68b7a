import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"

/** A change to one table, which can be combined with changes to other tables in one statement. */
export interface Write<Conflict = never> {
  /** How the statement locks the realm: `share` if the written values depend on the realm's settings. */
  readonly realmLock: "share" | "key share"
  /**
   * An `insert`, `update` or `delete` without `returning`. `before` is a table with one row that has a `realm_id`, or
   * without rows if nothing is to be written. The realm with its settings is available as the table `realm`, and the
   * row of the `Guard`, if there is one, as the table `guard`.
   */
  readonly statement: (before: Fragment) => Fragment
  /** The conflict with other rows that an error of the statement indicates. */
  readonly conflictIn: (error: SqlError) => Conflict | undefined
}

/** A row to read and lock before anything is written. If it doesn't exist, nothing is written. */
export interface Guard<Row, A> {
  readonly select: Statement<Row>
  readonly fromRow: (row: Row) => A
}

/** For writes that never conflict with other rows. */
export const noConflict = (): undefined => undefined

/** Returns the same write with its conflicts mapped to other values. */
export const mapConflict = <From, To>(write: Write<From>, map: (conflict: From) => To): Write<To> => ({
  ...write,
  conflictIn: (error) => {
    const conflict = write.conflictIn(error)
    return conflict === undefined ? undefined : map(conflict)
  }
})

/** The conflict that an error of a statement with these writes indicates. */
export const conflictAmong = <Conflict>(
  writes: ReadonlyArray<Write<Conflict>>,
  error: SqlError
): Conflict | undefined => {
  for (const { conflictIn } of writes) {
    const conflict = conflictIn(error)
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/** Runs a statement, and returns the conflict that its error indicates. */
export const conflictOf = <Conflict, R>(
  statement: Effect.Effect<unknown, SqlError, R>,
  conflictIn: (error: SqlError) => Conflict | undefined
): Effect.Effect<Conflict | undefined, never, R> =>
  statement.pipe(
    Effect.as(undefined),
    Effect.catch((error) => {
      const conflict = conflictIn(error)
      return conflict === undefined ? Effect.die(error) : Effect.succeed(conflict)
    })
  )

/** The strongest lock that any of the writes needs. */
export const realmLockOf = (writes: ReadonlyArray<Write<unknown>>): Write["realmLock"] =>
  writes.some(({ realmLock }) => realmLock === "share") ? "share" : "key share"

/**
 * The writes as subqueries of a `with` clause, each preceded by a comma. They run if the subquery `step0` has a row,
 * each after the one before is complete.
 */
export const steps = (sql: SqlClient, writes: ReadonlyArray<Write<unknown>>): Fragment => {
  const subqueries = writes.map(({ statement }, index) => {
    const done = index === 0 ? "" : `, (select count(*) from step${index}) done`
    const before = sql.literal(`(select s.realm_id from step0 s${done}) before`)
    return sql`, ${sql.literal(`step${index + 1}`)} as (${statement(before)} returning 1)`
  })
  return sql.join("", false)(subqueries)
}

/** Runs one write in a statement of its own, and returns its conflict. */
export const writeAlone = <Conflict>(sql: SqlClient, realmId: string, { statement, conflictIn }: Write<Conflict>) =>
  conflictOf(sql`${statement(sql`(select ${realmId}::text as realm_id) before`)}`, conflictIn)

/** Runs only these writes, which never conflict, in one statement. */
export const writeTogether = (sql: SqlClient, realmId: string, writes: ReadonlyArray<Write>) =>
  sql`with step0 as (select ${realmId}::text as realm_id)${steps(sql, writes)} select 1 as one`.pipe(
    Effect.asVoid,
    Effect.orDie
  )

/** A write that inserts rows into a table. All rows have the columns of the first one; their realm is that of the statement. */
export const insertionInto = (
  sql: SqlClient,
  table: string,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Write => {
  const columns = Object.keys(rows[0] ?? {})
  const [into, from] = [columns.join(", "), columns.map((column) => `r.${column}`).join(", ")]
  return {
    realmLock: "key share",
    statement: (before) => sql`insert into ${sql.literal(table)} (realm_id, ${sql.literal(into)})
      select before.realm_id, ${sql.literal(from)} from ${before},
        json_populate_recordset(null::${sql.literal(table)}, ${JSON.stringify(rows)}::json) as r`,
    conflictIn: noConflict
  }
}

/** Columns with their types, as `json_to_recordset` expects them. */
export const columnTypes = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ")
