import { databaseTodos } from "#server/DatabaseAdvice"
import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem } from "../Finding.ts"
import { ofPostgres } from "./OfPostgres.ts"

/** The finding for a pooler that is configured in the settings. */
const expectedFinding = ({ missingLimits }: Inspection["pooler"]): Finding =>
  missingLimits.length === 0
    ? ok("Connections may go through a pooler in transaction mode, and have their user's time limits.")
    : problem(
        `Connections have no ${missingLimits.join(" and no ")}, because their user has none, so the service won't start.`,
        databaseTodos.NoTimeLimits
      )

export const poolerFinding = ({ pooler }: Pick<Inspection, "pooler">): Finding => {
  const { expected, refuses, missingLimits, isPerTransaction } = pooler
  if (expected === "transaction") return expectedFinding(pooler)
  const who = isPerTransaction ? "A pooler in transaction mode (such as PgBouncer)" : "A pooler (such as PgBouncer)"
  if (refuses !== undefined) {
    return problem(
      `${who} is in front of PostgreSQL and rejects ${refuses}, which each connection sets at its start, so the service can't start.`,
      databaseTodos.Pooler
    )
  }
  if (missingLimits.length > 0) {
    return problem(
      `${who} is in front of PostgreSQL and drops the service's time limits, so the service won't start.`,
      databaseTodos.Pooler
    )
  }
  if (isPerTransaction) {
    return problem(
      `${who} is in front of PostgreSQL, and prepared statements don't work through it.`,
      databaseTodos.Pooler
    )
  }
  return ok("Connections go directly to PostgreSQL, or through a pooler in session mode.")
}

/** Checks whether there is a pooler between the service and its database, and whether the settings say so. */
export const pooler = ofPostgres("pooler", poolerFinding)
