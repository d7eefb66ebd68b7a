import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { GENERATED_FORM } from "#domain/Ids"

/** Matches ids that the service generated. Ids kept from another service don't contain a time. */
const generated = `^[a-z]+_${GENERATED_FORM}$`

/** The condition that a reset in progress retains a user or org. `from`: the first generated id that it retains. */
export const isRetained = (sql: SqlClient, column: string, from: string): Fragment =>
  sql`${sql.literal(column)} >= ${from} and ${sql.literal(column)} ~ ${generated}`
