import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"

/** A node of a query plan. The numbers are those of an executed plan, per loop. Blocks include the nodes below. */
export interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  /** The name `CTE <name>` for a query in a `with` clause. */
  readonly "Subplan Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

/** A plan node and all nodes below it. */
export const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** A statement with its parameters. */
type Statement = readonly [text: string, parameters: ReadonlyArray<unknown>]

/** Inserts seed rows without checking foreign keys, which would take most of the time. */
export const withoutForeignKeyChecks = <A, E, R>(seed: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(sql`set local session_replication_role = replica`, seed))
  )

/** The statements that a program runs. */
export const statementsOf = Effect.fnUntraced(function* (program: Effect.Effect<unknown>) {
  const statements: Array<Statement> = []
  yield* Effect.provideService(program, CurrentTransformer, (statement) =>
    Effect.sync(() => {
      statements.push(statement.compile())
      return statement
    })
  )
  return statements
})

interface Explained {
  readonly "QUERY PLAN": readonly [{ readonly Plan: Plan }]
}

const nodesOfFirst = ([row]: ReadonlyArray<Explained>) => (row === undefined ? [] : nodesOf(row["QUERY PLAN"][0].Plan))

/** The plans of every statement that a program runs. */
export const plansOf = Effect.fnUntraced(function* (program: Effect.Effect<unknown>) {
  const sql = yield* SqlClient
  return yield* Effect.forEach(yield* statementsOf(program), ([text, parameters]) =>
    Effect.map(sql.unsafe<Explained>(`explain (format json) ${text}`, parameters), nodesOfFirst)
  )
})

const literalOf = (value: unknown): string => {
  if (value === null) return "null"
  const text = Array.isArray(value)
    ? `{${value.join(",")}}`
    : value instanceof Date
      ? value.toISOString()
      : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * The executed plan of a statement, with the rows and blocks it read. It is planned either for its parameter values or,
 * like a frequent statement, for any values.
 */
export const planOfRun = Effect.fnUntraced(function* (
  [text, parameters]: Statement,
  planned: "for its values" | "for any values"
) {
  const sql = yield* SqlClient
  const mode = planned === "for any values" ? "force_generic_plan" : "force_custom_plan"
  const values = parameters.length === 0 ? "" : `(${parameters.map(literalOf).join(",")})`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`set local plan_cache_mode = ${mode}`)
      yield* sql.unsafe(`prepare planned as ${text}`)
      const explain = `explain (analyze, buffers, timing off, format json) execute planned${values}`
      const nodes = nodesOfFirst(yield* sql.unsafe<Explained>(explain))
      yield* sql.unsafe("deallocate planned")
      return nodes
    })
  )
})

/** The minimum number of rows that a node's loops counted. A plan shows their mean, rounded to whole rows. */
const atLeast = (loops: number, rows = 0): number => (loops === 1 ? rows : loops * Math.max(0, rows - 0.5))

/** The minimum number of rows read by a plan's scans, whether the rows were used or not. */
export const rowsRead = (nodes: ReadonlyArray<Plan>): number =>
  nodes
    .filter(({ "Node Type": type }) => type.endsWith("Scan") && !/Subquery|Function|Values|CTE/.test(type))
    .flatMap((node) =>
      [node["Actual Rows"], node["Rows Removed by Filter"], node["Rows Removed by Index Recheck"]].map((rows) =>
        atLeast(node["Actual Loops"] ?? 1, rows)
      )
    )
    .reduce((sum, rows) => sum + rows, 0)

/** The blocks that a plan read, from memory or from disk. */
export const blocksRead = ([root]: ReadonlyArray<Plan>): number =>
  (root?.["Shared Hit Blocks"] ?? 0) + (root?.["Shared Read Blocks"] ?? 0)

/** Lists, each with a description of its parameters. */
export type Lists = Array<readonly [name: string, list: Effect.Effect<unknown>]>

/** The pages that read more than the limit, planned for their values or for any values, as a frequent statement is. */
export const pagesThatRead = Effect.fnUntraced(function* (
  lists: Lists,
  more: { readonly rows: number; readonly blocks: number }
) {
  const found: Array<string> = []
  for (const [name, list] of lists) {
    for (const statement of yield* statementsOf(list)) {
      for (const planned of ["for its values", "for any values"] as const) {
        const plan = yield* planOfRun(statement, planned)
        const [rows, blocks] = [rowsRead(plan), blocksRead(plan)]
        if (rows > more.rows || blocks > more.blocks) {
          found.push(`${name}, planned ${planned}: ${rows} rows, ${blocks} blocks`)
        }
      }
    }
  }
  return found
})
