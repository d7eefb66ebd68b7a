import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"

/** A change to one table. It can be combined with changes to other tables in one statement. */
export interface Write<Conflict = never> {
  /** How the statement locks the realm. Use `share` if the written values depend on the realm's settings. */
  readonly realmLock: "share" | "key share"
  /**
   * An `insert`, `update` or `delete` without `returning`. `before` is a table with one row that has a `realm_id`, or no
   * rows if nothing is to be written. The realm with its settings is available as the table `realm`, and the row found by
   * the `Guard`, if any, as the table `guard`.
   */
  readonly statement: (before: Fragment) => Fragment
  /** Returns the conflict with other rows that caused an error of the statement, if any. */
  readonly conflictIn: (error: SqlError) => Conflict | undefined
}

/** A row to read and lock before writing. If it does not exist, nothing is written. */
export interface Guard<Row, A> {
  readonly select: Statement<Row>
  readonly fromRow: (row: Row) => A
}

/** For writes that cannot conflict with other rows. */
export const noConflict = (): undefined => undefined

/** Maps the conflicts of a write to other values. */
export const mapConflict = <From, To>(write: Write<From>, map: (conflict: From) => To): Write<To> => ({
  ...write,
  conflictIn: (error) => {
    const conflict = write.conflictIn(error)
    return conflict === undefined ? undefined : map(conflict)
  }
})

/** The conflict that caused an error of a statement with these writes, if any. */
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

/** Runs a statement. If a conflict causes an error, returns the conflict. */
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

/** The strongest realm lock that any of the writes needs. */
export const realmLockOf = (writes: ReadonlyArray<Write<unknown>>): Write["realmLock"] =>
  writes.some(({ realmLock }) => realmLock === "share") ? "share" : "key share"

/**
 * The writes as subqueries of a `with` clause, each preceded by a comma. They run if the subquery `step0` has a row. Each
 * waits until the previous one is complete.
 */
export const steps = (sql: SqlClient, writes: ReadonlyArray<Write<unknown>>): Fragment => {
  const subqueries = writes.map(({ statement }, index) => {
    const done = index === 0 ? "" : `, (select count(*) from step${index}) done`
    const before = sql.literal(`(select s.realm_id from step0 s${done}) before`)
    return sql`, ${sql.literal(`step${index + 1}`)} as (${statement(before)} returning 1)`
  })
  return sql.join("", false)(subqueries)
}

/** Runs one write in its own statement. Returns its conflict, if any. */
export const writeAlone = <Conflict>(sql: SqlClient, realmId: string, { statement, conflictIn }: Write<Conflict>) =>
  conflictOf(sql`${statement(sql`(select ${realmId}::text as realm_id) before`)}`, conflictIn)

/** Runs several writes that cannot conflict, in one statement. */
export const writeTogether = (sql: SqlClient, realmId: string, writes: ReadonlyArray<Write>) =>
  sql`with step0 as (select ${realmId}::text as realm_id)${steps(sql, writes)} select 1 as one`.pipe(
    Effect.asVoid,
    Effect.orDie
  )

/** A write that inserts rows into a table, in the statement's realm. The first row determines the columns. */
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

/** Columns and their types in the format of `json_to_recordset`. */
export const columnTypes = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ")
