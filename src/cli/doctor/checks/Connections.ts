import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { ofPostgres } from "./OfPostgres.ts"

export const connectionsFinding = ({
  connections: { limit, used, needed }
}: Pick<Inspection, "connections">): Finding => {
  const node = `A node with these settings opens up to ${needed} connections`
  if (limit === undefined) return ok(`${node} to the pooler; PostgreSQL has ${used}.`)
  if (needed > limit) {
    return problem(
      `${node}, but the database user is limited to ${limit}, so the service won't start.`,
      "Choose a smaller SALLYPORT_DATABASE_POOL_SIZE or SALLYPORT_WORKERS, or raise max_connections."
    )
  }
  if (used + needed > limit) {
    return warning(
      `${node}. Of ${limit}, ${used} are in use (including running nodes), so another node may get none.`,
      "Raise max_connections before you add a node, or choose a smaller SALLYPORT_DATABASE_POOL_SIZE."
    )
  }
  return ok(`${node}; ${used} of ${limit} are in use.`)
}

/** Checks whether the server has enough connections. */
export const connections = ofPostgres("connections", connectionsFinding)
