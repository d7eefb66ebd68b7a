import { Effect } from "effect"
import { type DatabaseRefused, embeddedFolder, type Inspection, OLDEST } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid } from "../Subject.ts"

/** The round-trip time that is reported, in milliseconds. Each request makes several. */
const FAR = 10

const todos: Partial<Record<DatabaseRefused["reason"], string>> = {
  Away: "Check host and port in DATABASE_URL, and that PostgreSQL runs and takes connections from here.",
  Unreachable: "Check host, port and name in DATABASE_URL, and that PostgreSQL runs and takes connections from here.",
  Unauthorized: "Check user and password in DATABASE_URL; special characters are percent-encoded, such as %40 for @."
}

export const refusedFinding = ({ reason, message }: DatabaseRefused): Finding =>
  problem(message, todos[reason] ?? "Look at the log of PostgreSQL.")

/** A finding about several servers; undefined if one accepts writes and the others are ready to take over. */
const serversFinding = ({ describe, servers }: Inspection): Finding | undefined => {
  const writing = servers.filter(({ state }) => state === "TakesWrites")
  const failed = servers.filter(({ state }) => state === "Failed")
  if (writing.length > 1)
    return problem(
      `${listed(writing)} take writes, each for itself: what is written to one is missing in the other.`,
      "Stop the one that was the primary before, at once, and make it a standby of the other."
    )
  if (failed.length === 0) return undefined
  return warning(
    `${describe}: ${failed.map(({ host, detail }) => `${host} can't be used (${detail})`).join(", ")}. Nothing could take over but what is left.`,
    "Bring it back as a standby, or take it out of DATABASE_URL."
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
      `${describe} is a replica, which takes no writes.`,
      "Name the primary in DATABASE_URL, or both with a comma in between, so that a failover needs no change."
    )
  const found = serversFinding(inspection)
  if (found !== undefined) return found
  if (latency > FAR)
    return warning(
      `${describe} (PostgreSQL ${release}) is ${away}: a request waits for that several times.`,
      "Run the service in the same zone as its database."
    )
  const writing = servers.find(({ state }) => state === "TakesWrites")
  return ok(
    `${describe}: PostgreSQL ${release}, ${away}${writing === undefined ? "" : `; ${writing.host} takes writes`}.`
  )
}

const embeddedFinding = (dataDir: string, hasKeys: boolean): Finding => {
  const { folder, hasDatabase, hasSecret } = embeddedFolder(dataDir)
  if (!hasDatabase) return ok(`There is no database in ${folder} yet: the first start makes it.`)
  if (hasSecret || hasKeys) return ok(`The embedded database is in ${folder}.`)
  return problem(
    `The file ${folder}/secret is missing: nothing that the database encrypts can be read.`,
    "Restore it from the backup of that folder. Don't start the service before: it would make a new one."
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
      return Effect.succeed(ok("The database is in memory: what it holds ends with the service."))
    if (target._tag === "Embedded") return Effect.sync(() => embeddedFinding(target.dataDir, secrets.length > 0))
    return Effect.match(subject.postgres, { onSuccess: databaseFinding, onFailure: refusedFinding })
  }
}
