import { DateTime, type Effect } from "effect"
import type { Backlog, DecryptedColumn, Facts, Opened, SigningKeys, SurveyedTable } from "#server/backup/Backup"
import { counted, type Finding, ok, problem, warning } from "../doctor/Finding.ts"

/** The maximum age of the newest event in a nightly backup, in milliseconds. */
const NIGHTLY = 26 * 3_600_000

/** How many names of a list are shown. */
const MOST = 5

const number = (value: number) => value.toLocaleString("en-US")

const many = (count: number, noun: string) => counted(count, noun).replace(/^\d+/, number(count))

const listed = (names: ReadonlyArray<string>): string =>
  names.length <= MOST ? names.join(", ") : `${names.slice(0, MOST).join(", ")} and ${names.length - MOST} more`

const older = "Restore an older backup beside this one, verify it, and find out how this one was made."

export const restoreFinding = ({ _tag, millis, hasLock }: Opened, describe: string): Finding => {
  const took = `${(millis / 1_000).toFixed(1)} s`
  if (_tag === "Database") return ok(`Nothing was restored: this is ${describe}, as it is.`)
  if (_tag === "Dump") return ok(`It was restored in ${took}, into a database of its own that is dropped afterwards.`)
  if (!hasLock) return ok(`A copy of the folder was opened, made in ${took}. The folder itself stays as it is.`)
  return warning(
    "The folder was copied while a service ran on it, or after one was killed. It could be opened.",
    "Stop the service before you copy its folder: a copy of a running one may be damaged."
  )
}

export const migrationsFinding = (
  { pending, all, isEmpty }: Effect.Success<Facts["pending"]>,
  isCopy: boolean
): Finding => {
  if (isEmpty) return problem("This is no database of Sallyport: it has no migrations.", "Name another backup.")
  if (pending.length === 0) return ok(`All ${all} migrations are applied.`)
  const which = `${counted(pending.length, "migration")} of ${all} ${pending.length === 1 ? "was" : "were"} still to come: ${listed(pending)}`
  if (isCopy)
    return ok(
      `The backup is of an earlier release. ${which}. This release has applied ${pending.length === 1 ? "it" : "them"} to the copy.`
    )
  return problem(`${which}.`, "Run sallyport migrate on this database, then verify it again.")
}

export const structureFinding = ({ all, missing }: Effect.Success<Facts["structure"]>): Finding =>
  missing.length === 0
    ? ok(`All ${all} indexes, constraints and triggers are there and valid, foreign keys among them.`)
    : problem(`${missing.length} of ${all} indexes, constraints and triggers are missing: ${listed(missing)}.`, older)

export const tablesFinding = (tables: ReadonlyArray<SurveyedTable>): Finding => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const of = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const most = `${many(of("users"), "user")}, ${many(of("sessions"), "session")}, ${many(of("events"), "event")}`
  return ok(`All ${many(rows, "row")} of ${counted(tables.length, "table")} can be read: ${most}.`)
}

export const secretsFinding = (columns: ReadonlyArray<DecryptedColumn>): Finding => {
  const all = columns.reduce((sum, column) => sum + column.all, 0)
  const bad = columns.filter(({ unreadable }) => unreadable > 0)
  if (bad.length === 0) return ok(`All secrets can be decrypted (${number(all)}).`)
  const count = bad.reduce((sum, { unreadable }) => sum + unreadable, 0)
  const where = bad.map(({ column, unreadable }) => `${column.table}.${column.column} (${number(unreadable)})`)
  return problem(
    `${number(count)} of ${many(all, "secret")} can't be decrypted: ${listed(where)}.`,
    "Add the SALLYPORT_SECRET of the time of the backup, after the present one. Without it these secrets are lost."
  )
}

export const signingKeysFinding = ({ realms, active, broken, without }: SigningKeys): Finding => {
  if (broken.length > 0) {
    return problem(
      `${broken.length} of ${many(active, "active signing key")} can't sign what the published key verifies: ${listed(broken)}.`,
      "As for the secrets: these keys need the SALLYPORT_SECRET of the time of the backup."
    )
  }
  if (without.length > 0) {
    return problem(
      `${many(without.length, "realm")} of ${number(realms)} ${without.length === 1 ? "has" : "have"} no active signing key: ${listed(without)}.`,
      older
    )
  }
  return ok(
    `${many(active, "active signing key")} of ${many(realms, "realm")}: each signs what its published half verifies, so tokens that were issued stay valid.`
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
    return warning("There is no event, so this can't tell how old the backup is.", "Compare its date.")
  const age = now.epochMilliseconds - newest.epochMilliseconds
  const says = `The newest event is of ${DateTime.formatIso(newest).replace(/\.\d+Z$/, "Z")}, ${ago(age)} ago.`
  return age <= NIGHTLY
    ? ok(`${says} What happened after the backup is not in it.`)
    : warning(
        says,
        "If something happened since then, the backup is older than a nightly one should be: look after what makes it."
      )
}

export const changesFinding = (count: number): Finding =>
  count === 0
    ? ok("Every event has the changes that it names.")
    : problem(
        `${many(count, "event")} ${count === 1 ? "has" : "have"} other changes in the database than named.`,
        older
      )

export const deliveriesFinding = (waiting: ReadonlyArray<Backlog> | undefined): Finding => {
  const [emails = 0, webhooks = 0] = (["email", "webhook"] as const).map(
    (type) => waiting?.find(({ hookType }) => hookType === type)?.waiting
  )
  if (waiting === undefined) return warning("What waits for delivery could not be counted in time.", "Verify it again.")
  if (emails + webhooks === 0) return ok("Nothing waited for delivery.")
  return ok(
    `${many(emails, "e-mail")} and ${many(webhooks, "webhook")} waited for delivery: a service that starts on this sends them, unless SALLYPORT_DELIVERIES is off.`
  )
}
