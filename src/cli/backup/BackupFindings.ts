import { DateTime, type Effect } from "effect"
import type { Backlog, DecryptedColumn, Facts, Opened, SigningKeys, SurveyedTable } from "#server/backup/Backup"
import { counted, type Finding, ok, problem, warning } from "../doctor/Finding.ts"

/** The maximum age of the newest event in a nightly backup, in milliseconds. */
const NIGHTLY = 26 * 3_600_000

/** The maximum number of names shown from a list. */
const MAX_NAMES = 5

const number = (value: number) => value.toLocaleString("en-US")

const many = (count: number, noun: string) => counted(count, noun).replace(/^\d+/, number(count))

const listed = (names: ReadonlyArray<string>): string =>
  names.length <= MAX_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`

const older = "Verify an older backup, and check how this one was made."

export const restoreFinding = ({ _tag, millis, hasLock }: Opened, describe: string): Finding => {
  const took = `${(millis / 1_000).toFixed(1)} s`
  if (_tag === "Database") return ok(`Nothing was restored; this is ${describe} as it is.`)
  if (_tag === "Dump") return ok(`Restored in ${took} into a temporary database.`)
  if (!hasLock) return ok(`Copied the folder in ${took} and opened the copy. The folder itself was not changed.`)
  return warning(
    "The folder was copied while a service was using it, or after one was killed. It could be opened.",
    "Stop the service before you copy its folder. A copy made while it runs may be damaged."
  )
}

export const migrationsFinding = (
  { pending, all, isEmpty }: Effect.Success<Facts["pending"]>,
  isCopy: boolean
): Finding => {
  if (isEmpty) return problem("This is not a Sallyport database: it has no migrations.", "Choose another backup.")
  if (pending.length === 0) return ok(`All ${all} migrations are applied.`)
  const which = `${counted(pending.length, "migration")} of ${all} ${pending.length === 1 ? "was" : "were"} pending: ${listed(pending)}`
  if (isCopy)
    return ok(
      `The backup is from an earlier release. ${which}. This release applied ${pending.length === 1 ? "it" : "them"} to the copy.`
    )
  return problem(`${which}.`, "Run sallyport migrate on this database, then verify it again.")
}

export const structureFinding = ({ all, missing }: Effect.Success<Facts["structure"]>): Finding =>
  missing.length === 0
    ? ok(`All ${all} indexes, constraints and triggers are present and valid, including foreign keys.`)
    : problem(`${missing.length} of ${all} indexes, constraints and triggers are missing: ${listed(missing)}.`, older)

export const tablesFinding = (tables: ReadonlyArray<SurveyedTable>): Finding => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const largest = `${many(rowsOf("users"), "user")}, ${many(rowsOf("sessions"), "session")}, ${many(rowsOf("events"), "event")}`
  return ok(`All ${many(rows, "row")} of ${counted(tables.length, "table")} can be read: ${largest}.`)
}

export const secretsFinding = (columns: ReadonlyArray<DecryptedColumn>): Finding => {
  const all = columns.reduce((sum, column) => sum + column.all, 0)
  const unreadableColumns = columns.filter(({ unreadable }) => unreadable > 0)
  if (unreadableColumns.length === 0) return ok(`All secrets can be decrypted (${number(all)}).`)
  const count = unreadableColumns.reduce((sum, { unreadable }) => sum + unreadable, 0)
  const where = unreadableColumns.map(
    ({ column, unreadable }) => `${column.table}.${column.column} (${number(unreadable)})`
  )
  return problem(
    `${number(count)} of ${many(all, "secret")} can't be decrypted: ${listed(where)}.`,
    "Add the SALLYPORT_SECRET used at the time of the backup after the current one. Without it, these secrets are lost."
  )
}

export const signingKeysFinding = ({ realms, active, broken, without }: SigningKeys): Finding => {
  if (broken.length > 0) {
    return problem(
      `${broken.length} of ${many(active, "active signing key")} can't produce signatures that their published keys verify: ${listed(broken)}.`,
      "These keys also need the SALLYPORT_SECRET used at the time of the backup."
    )
  }
  if (without.length > 0) {
    return problem(
      `${many(without.length, "realm")} of ${number(realms)} ${without.length === 1 ? "has" : "have"} no active signing key: ${listed(without)}.`,
      older
    )
  }
  return ok(
    `${many(active, "active signing key")} of ${many(realms, "realm")}: their signatures verify with the published keys, so issued tokens stay valid.`
  )
}

const ago = (millis: number): string => {
  const minutes = Math.max(0, Math.round(millis / 60_000))
  if (minutes < 120) return counted(minutes, "minute")
  const hours = Math.round(minutes / 60)
  return hours < 48 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day")
}

export const newestEventFinding = (newest: DateTime.Utc | undefined, now: DateTime.Utc): Finding => {
  if (newest === undefined)
    return warning("There are no events, so the age of the backup is unknown.", "Check the date of its file.")
  const age = now.epochMilliseconds - newest.epochMilliseconds
  const says = `The newest event is from ${DateTime.formatIso(newest).replace(/\.\d+Z$/, "Z")}, ${ago(age)} ago.`
  return age <= NIGHTLY
    ? ok(`${says} Anything that happened after the backup is missing.`)
    : warning(
        says,
        "Unless nothing happened since then, the backup is too old for a nightly one. Check your backup job."
      )
}

export const changesFinding = (count: number): Finding =>
  count === 0
    ? ok("Every event's recorded changes match.")
    : problem(`${many(count, "event")} ${count === 1 ? "has" : "have"} changes that don't match the database.`, older)

export const deliveriesFinding = (waiting: ReadonlyArray<Backlog> | undefined): Finding => {
  const [emails = 0, webhooks = 0] = (["email", "webhook"] as const).map(
    (type) => waiting?.find(({ hookType }) => hookType === type)?.waiting
  )
  if (waiting === undefined) return warning("Pending deliveries could not be counted in time.", "Verify it again.")
  if (emails + webhooks === 0) return ok("There were no pending deliveries.")
  return ok(
    `${many(emails, "email")} and ${many(webhooks, "webhook")} were pending. A service that starts on this backup sends them, unless SALLYPORT_DELIVERIES is off.`
  )
}
