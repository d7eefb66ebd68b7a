import { existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseRefused } from "./DatabaseRefused.ts"

/** What the folder of a database always has, and how many bytes of it at least. */
const parts: ReadonlyArray<readonly [path: string, bytes: number]> = [
  ["PG_VERSION", 1],
  ["global/pg_control", 8_192],
  ["base", 0],
  ["pg_xact", 0],
  ["pg_wal", 0]
]

/** A file of the write-ahead log. */
const SEGMENT = /^[0-9A-F]{24}$/

/** What is wrong with the files of a database at first sight, as parts of a sentence. */
const lackingIn = (database: string): ReadonlyArray<string> => {
  const found = parts.flatMap(([path, bytes]) => {
    const file = join(database, path)
    if (!existsSync(file)) return [`${path} is missing`]
    return statSync(file).size < bytes ? [`${path} is incomplete`] : []
  })
  const log = join(database, "pg_wal")
  const hasLog = !existsSync(log) || readdirSync(log).some((name) => SEGMENT.test(name))
  return hasLog ? found : [...found, "pg_wal has no file of the log"]
}

const refused = (database: string, facts: ReadonlyArray<string>) => {
  const known = facts.length === 0 ? "" : ` (${facts.join("; ")})`
  const message = `The embedded database in ${database} is damaged: files of it are missing or don't fit together${known}.`
  return new DatabaseRefused({ reason: "Damaged", message })
}

/** Refuses a folder whose database is not complete. It is not touched: the database would make a new one of some of these. */
export const damageIn = (database: string): DatabaseRefused | undefined => {
  const facts = lackingIn(database)
  return facts.length === 0 ? undefined : refused(database, facts)
}

/** How much room a database takes to start, in bytes. */
const ROOM = 16 * 1_048_576

/**
 * Why a database whose files looked complete has ended at its start: it says nothing but that. Undefined where the system has
 * refused something.
 */
export const damageBehind = (database: string, cause: unknown): DatabaseRefused | undefined => {
  if (cause instanceof Error && "code" in cause) return undefined
  const { bavail, bsize } = statfsSync(database)
  if (bavail * bsize >= ROOM) return refused(database, lackingIn(database))
  const message = `The embedded database in ${database} can't be opened: its disk is full.`
  return new DatabaseRefused({ reason: "Broken", message })
}
