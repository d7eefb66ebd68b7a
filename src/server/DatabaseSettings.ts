import { Redacted } from "effect"
import type { DatabaseTarget } from "#sql/Database"
import type { ReplicaTarget } from "#sql/Replica"
import { databaseUrlProblem, hasSeveralHosts } from "./DatabaseUrl.ts"
import type { Reader } from "./EnvironmentReader.ts"

/** The database that the environment configures. */
export const databaseOf = (reader: Reader, dataDir: string): DatabaseTarget => {
  const url = reader.secret("DATABASE_URL")
  const replica = replicaOf(reader)
  if (url === undefined || url === "memory://") {
    if (replica !== undefined) {
      reader.problems.push("DATABASE_REPLICA_URL requires PostgreSQL: the embedded database has no replica.")
    }
    return url === undefined ? { _tag: "Embedded", dataDir } : { _tag: "Memory" }
  }
  const problem = databaseUrlProblem("DATABASE_URL", url, ", or be memory://")
  if (problem !== undefined) reader.problems.push(problem)
  const pooler = poolerOf(reader)
  if (pooler !== "none" && hasSeveralHosts(url)) {
    reader.problems.push(
      "SALLYPORT_DATABASE_POOLER=transaction requires a single host in DATABASE_URL, because the pooler must follow the primary."
    )
  }
  return { _tag: "Postgres", url: Redacted.make(url), pooler, replica }
}

/** The maximum and the default time that a read waits for a replica to catch up, in milliseconds. */
const MAX_LAG = { max: 5_000, default: 100 }

const replicaOf = (reader: Reader): ReplicaTarget | undefined => {
  const url = reader.secret("DATABASE_REPLICA_URL")
  const maxLagMillis = reader.integer("SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS", 0, MAX_LAG.max, MAX_LAG.default)
  if (url === undefined) return undefined
  const problem = databaseUrlProblem("DATABASE_REPLICA_URL", url)
  if (problem !== undefined) reader.problems.push(problem)
  else if (hasSeveralHosts(url)) reader.problems.push("DATABASE_REPLICA_URL must name one host.")
  return { url: Redacted.make(url), maxLagMillis }
}

const poolerOf = (reader: Reader) => {
  const value = reader.text("SALLYPORT_DATABASE_POOLER") ?? "none"
  if (value === "none" || value === "transaction") return value
  reader.problems.push("SALLYPORT_DATABASE_POOLER must be none or transaction.")
  return "none"
}

/** The limits of the pool size. At least two, because reads need a connection while a transaction uses another. */
const POOL_SIZE = { min: 2, max: 500 }

/**
 * The maximum number of connections for short statements per process, or undefined for the process's share of the
 * default.
 */
export const poolSizeOf = (reader: Reader, database: DatabaseTarget): number | undefined => {
  if (reader.text("SALLYPORT_DATABASE_POOL_SIZE") === undefined) return undefined
  if (database._tag !== "Postgres") {
    reader.problems.push("SALLYPORT_DATABASE_POOL_SIZE requires PostgreSQL: the embedded database has one connection.")
  }
  return reader.integer("SALLYPORT_DATABASE_POOL_SIZE", POOL_SIZE.min, POOL_SIZE.max, POOL_SIZE.min)
}
