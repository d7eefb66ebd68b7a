import { existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseRefused } from "./DatabaseRefused.ts"

/** The files that every database folder has, with their minimum sizes in bytes. */
const parts: ReadonlyArray<readonly [path: string, bytes: number]> = [
  ["PG_VERSION", 1],
  ["global/pg_control", 8_192],
  ["base", 0],
  ["pg_xact", 0],
  ["pg_wal", 0]
]

/** The name of a write-ahead log file. */
const SEGMENT = /^[0-9A-F]{24}$/

/** The obvious problems of a database's files, as parts of a sentence. */
const problemsIn = (database: string): ReadonlyArray<string> => {
  const found = parts.flatMap(([path, bytes]) => {
    const file = join(database, path)
    if (!existsSync(file)) return [`${path} is missing`]
    return statSync(file).size < bytes ? [`${path} is incomplete`] : []
  })
  const log = join(database, "pg_wal")
  const hasLog = !existsSync(log) || readdirSync(log).some((name) => SEGMENT.test(name))
  return hasLog ? found : [...found, "pg_wal contains no log file"]
}

const refused = (database: string, facts: ReadonlyArray<string>) => {
  const known = facts.length === 0 ? "" : ` (${facts.join("; ")})`
  const message = `The embedded database in ${database} is damaged: some of its files are missing or inconsistent${known}.`
  return new DatabaseRefused({ reason: "Damaged", message })
}

/**
 * Rejects a folder with an incomplete database. It does not start the database, which would recreate some of the missing
 * files.
 */
export const damageIn = (database: string): DatabaseRefused | undefined => {
  const facts = problemsIn(database)
  return facts.length === 0 ? undefined : refused(database, facts)
}

/** The disk space needed to start a database, in bytes. */
const MIN_FREE_BYTES = 16 * 1_048_576

/**
 * Explains why a database failed to start although its files look complete, since the database doesn't report this itself.
 * Undefined if the system reported the cause.
 */
export const damageBehind = (database: string, cause: unknown): DatabaseRefused | undefined => {
  if (cause instanceof Error && "code" in cause) return undefined
  const { bavail, bsize } = statfsSync(database)
  if (bavail * bsize >= MIN_FREE_BYTES) return refused(database, problemsIn(database))
  const message = `The embedded database in ${database} can't be opened: its disk is full.`
  return new DatabaseRefused({ reason: "Broken", message })
}
