import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { ofPostgres } from "./OfPostgres.ts"

const todo = "Name PostgreSQL itself in DATABASE_URL: the service keeps a pool of connections of its own."

export const poolerFinding = ({
  pooler: { refuses, dropsSettings, isPerTransaction }
}: Pick<Inspection, "pooler">): Finding => {
  const who = isPerTransaction ? "A pooler in transaction mode (such as PgBouncer)" : "A pooler (such as PgBouncer)"
  if (refuses !== undefined) {
    return problem(
      `${who} is in front of PostgreSQL and refuses ${refuses}, with which each connection begins: the service can't start.`,
      todo
    )
  }
  if (isPerTransaction) {
    return problem(`${who} is in front of PostgreSQL: prepared statements and time limits don't hold there.`, todo)
  }
  if (dropsSettings) {
    return warning(
      `${who} is in front of PostgreSQL and drops the time limits of the service: a statement that hangs is not ended.`,
      todo
    )
  }
  return ok("Connections lead to PostgreSQL itself, or through a pooler that keeps them apart.")
}

/** Whether a pooler stands between the service and its database. */
export const pooler = ofPostgres("pooler", poolerFinding)
