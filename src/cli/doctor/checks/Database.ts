import { Effect } from "effect"
import {
  type DatabaseRefused,
  type Inspection,
  inspectEmbeddedFolder,
  OLDEST
} from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid } from "../Subject.ts"

/** The smallest round-trip time to report, in milliseconds. Each request needs several round trips. */
const SLOW_ROUND_TRIP_MILLIS = 10

const todos: Partial<Record<DatabaseRefused["reason"], string>> = {
  Away: "Check host and port in DATABASE_URL, and that PostgreSQL is running and accepts connections from here.",
  Unreachable:
    "Check host, port and name in DATABASE_URL, and that PostgreSQL is running and accepts connections from here.",
  Unauthorized: "Check user and password in DATABASE_URL. Percent-encode special characters, such as %40 for @."
}

export const refusedFinding = ({ reason, message }: DatabaseRefused): Finding =>
  problem(message, todos[reason] ?? "Check PostgreSQL's log.")

/** Returns a finding about several servers, or undefined if one accepts writes and the others are ready to take over. */
const serversFinding = ({ describe, servers }: Inspection): Finding | undefined => {
  const writing = servers.filter(({ state }) => state === "TakesWrites")
  const failed = servers.filter(({ state }) => state === "Failed")
  if (writing.length > 1)
    return problem(
      `${listed(writing)} accept writes independently: what is written to one is missing in the other.`,
      "Stop the former primary immediately, and make it a standby of the other."
    )
  if (failed.length === 0) return undefined
  return warning(
    `${describe}: ${failed.map(({ host, detail }) => `${host} can't be used (${detail})`).join(", ")}. There is no standby to take over.`,
    "Bring it back as a standby, or remove it from DATABASE_URL."
  )
}

const listed = (servers: Inspection["servers"]) => servers.map(({ host }) => host).join(" and ")

export const databaseFinding = (inspection: Inspection): Finding => {
  const { describe, servers, number, version, isReplica, latency } = inspection
  const [release] = version.split(" ")
  const away = `${latency.toFixed(1)} ms away`
  if (number < OLDEST)
    return problem(`${describe} runs PostgreSQL ${release}.`, "Upgrade it to PostgreSQL 14 or later.")
  if (isReplica)
    return problem(
      `${describe} is a replica, which doesn't accept writes.`,
      "Set DATABASE_URL to the primary, or to both, separated by a comma, so that a failover needs no change."
    )
  const found = serversFinding(inspection)
  if (found !== undefined) return found
  if (latency > SLOW_ROUND_TRIP_MILLIS)
    return warning(
      `${describe} (PostgreSQL ${release}) is ${away}, and each request makes several round trips.`,
      "Run the service in the same zone as its database."
    )
  const writing = servers.find(({ state }) => state === "TakesWrites")
  return ok(
    `${describe}: PostgreSQL ${release}, ${away}${writing === undefined ? "" : `; ${writing.host} accepts writes`}.`
  )
}

const embeddedFinding = (dataDir: string, hasKeys: boolean): Finding => {
  const { folder, hasDatabase, hasSecret } = inspectEmbeddedFolder(dataDir)
  if (!hasDatabase) return ok(`There is no database in ${folder} yet. The first start creates it.`)
  if (hasSecret || hasKeys) return ok(`The embedded database is in ${folder}.`)
  return problem(
    `The file ${folder}/secret is missing, so the encrypted data in the database can't be read.`,
    "Restore it from the folder's backup. Don't start the service before, because it would create a new key."
  )
}

/** Checks whether the database is reachable and usable. */
export const database: Check = {
  name: "database",
  place: "settings",
  run: (subject) => {
    const { database: target, secrets } = subject.settings
    if (isInvalid(subject, "DATABASE_URL")) return Effect.succeed(skipped("DATABASE_URL is not valid."))
    if (target._tag === "Memory")
      return Effect.succeed(ok("The database is in memory. Its data is lost when the service stops."))
    if (target._tag === "Embedded") return Effect.sync(() => embeddedFinding(target.dataDir, secrets.length > 0))
    return Effect.match(subject.postgres, { onSuccess: databaseFinding, onFailure: refusedFinding })
  }
}
