import type { Row, RowCredential, RowMembership, SourceRecord } from "../Row.ts"
import { flagOf, isNothing, namesOf, secondsOf, textOf, timeOf } from "../Values.ts"

/** A part of a user that is not imported: a profile, with its provider, or a required action, with its name. */
export type SkippedPart =
  | { readonly what: "password" | "temporary_password" | "authenticator" }
  | { readonly what: "profile"; readonly provider: string }
  | { readonly what: "required_action"; readonly action: string }

/** The reason why a user is not imported at all. */
export type SkipReason = "deleted" | "guest" | "program"

/** The command-line options of presets. */
export interface PresetOptions {
  /** Firebase's scrypt parameters, as the prefix of its hashes. */
  readonly firebaseHash?: string | undefined
  /** Whether to import profiles at providers. */
  readonly profiles: boolean
}

/** The context of a reading, besides the value itself. */
export interface ReadingContext {
  readonly record: SourceRecord
  readonly options: PresetOptions
  /** The time of the import, in Unix seconds. */
  readonly now: number
  /** Counts a part of a user that is not imported. */
  readonly countSkipped: (what: SkippedPart) => void
  /** Counts a user who becomes inactive because of a temporary lock in this column. */
  readonly countLock: (column: string) => void
}

/** Converts a column or member to the corresponding part of a row. */
export type Reading = (value: unknown, around: ReadingContext) => Row

/** A column of an export. */
export interface Column {
  /** The result of importing it, in Markdown, as shown in the guide's table. */
  readonly becomes: string
  readonly read: Reading
}

/** Describes how to read the users of another system. */
export interface Preset {
  /** The system's name. */
  readonly system: string
  /** Every column or JSON member of its exports, and the result of importing it. */
  readonly columns: Readonly<Record<string, Column>>
  /** Groups of columns with a common prefix. `becomes` describes the whole group. */
  readonly prefixes?: Readonly<Record<string, { readonly becomes: string; readonly read: (name: string) => Reading }>>
  /** The columns of its CSV, if the CSV has no header. */
  readonly header?: ReadonlyArray<string>
  /** Returns the reason why a record isn't imported, or undefined if it is imported. */
  readonly skipReasonOf?: (record: SourceRecord) => SkipReason | undefined
  /** The members of its JSON documents that contain the users. */
  readonly lists: ReadonlyArray<string>
  /** Flattens a nested record before its columns are read. */
  readonly flatten?: (record: SourceRecord) => SourceRecord
  /** Reverts changes that the system makes only to CSV cells. */
  readonly fromCells?: (record: SourceRecord) => SourceRecord
  /** Sets of columns that identify the system's exports. */
  readonly marks: ReadonlyArray<ReadonlyArray<string>>
  /** A note for operators if passwords can't be imported. */
  readonly passwords?: string
}

type TextMember = "reference" | "email" | "username" | "first_name" | "last_name" | "name" | "locale"

/** A column and the result of importing it. */
export const column = (becomes: string, read: Reading): Column => ({ becomes, read })

/** A known column that is not imported. The report counts the users with a value in this column. */
export const notImported: Column = { becomes: "not imported", read: () => ({}) }

/** A column that is read together with another. */
export const partOf = (other: string): Column => ({ becomes: `read with \`${other}\``, read: () => ({}) })

/** A column that decides whether a user is imported at all. */
export const skips = (whom: string): Column => ({ becomes: `marks ${whom} (not imported)`, read: () => ({}) })

/** A text that is imported unchanged. */
export const text = (member: TextMember): Column =>
  column(`\`${member}\``, (value) => {
    const found = textOf(value)
    return found === undefined ? {} : { [member]: found }
  })

/** A time in the exporting system's format. */
export const time = (member: "created_at" | "last_login_at"): Column =>
  column(`\`${member}\``, (value) => {
    const found = timeOf(value)
    return found === undefined ? {} : { [member]: found }
  })

const verification = "`email_verification`"

/** Whether the email is verified, as a boolean. */
export const verifiedFlag = column(verification, (value) => ({
  email_verification: flagOf(value) ? "verified" : "none"
}))

/** When the email was verified. */
export const verifiedAt = column(verification, (value) => ({
  email_verification: timeOf(value) === undefined ? "none" : "verified"
}))

/** Whether the user can't log in. */
export const blockedFlag = column("`state`", (value) => (flagOf(value) ? { state: "inactive" } : {}))

/** Whether the user can log in. */
export const enabledFlag = column("`state`", (value) =>
  textOf(value) === undefined && typeof value !== "boolean" ? {} : flagOf(value) ? {} : { state: "inactive" }
)

/**
 * Deactivates a temporarily locked user. The lock itself is stored in a custom attribute, because the service has only
 * permanent locks.
 */
const lockedBy = (name: string, value: unknown, { countLock }: ReadingContext): Row => {
  countLock(name)
  return { state: "inactive", custom: { [name]: textOf(value) ?? null } }
}

const keptLock = (name: string) => `\`state\`; the time becomes \`custom.${name}\``

/** The end of a lock. A value that isn't a time counts as a lock, too. */
export const lockedUntil = (name: string): Column =>
  column(`${keptLock(name)} unless it has passed`, (value, around) => {
    const until = textOf(value)
    if (until === undefined || until === "-infinity") return {}
    const at = secondsOf(until)
    return at !== undefined && at <= around.now ? {} : lockedBy(name, until, around)
  })

/** The start of a lock. */
export const lockedSince = (name: string): Column =>
  column(keptLock(name), (value, around) => (textOf(value) === undefined ? {} : lockedBy(name, value, around)))

/** A full name, used if the record lacks first and last name in the given members. */
export const wholeName = (...own: ReadonlyArray<string>): Column =>
  column("`first_name` and `last_name`", (value, { record }) => {
    const whole = textOf(value)
    return whole === undefined || own.some((name) => textOf(record[name]) !== undefined) ? {} : namesOf(whole)
  })

/** A password hash that is imported unchanged. */
export const passwordHash = column("the password", (value) => {
  const hash = textOf(value)
  return hash === undefined || hash === "NULL" ? {} : password(hash)
})

/** The credential for a password hash. */
export const password = (hash: string): Row => ({
  credentials: [{ credential_type: "password", password_hash: hash }]
})

/** A text as a custom attribute. */
export const custom = (key: string): Column =>
  column(`\`custom.${key}\``, (value) => {
    const found = textOf(value)
    return found === undefined ? {} : { custom: { [key]: found } }
  })

/** Custom attributes from all columns with a prefix. */
export const customPrefix = {
  becomes: "`custom.…`",
  read: (name: string): Reading => custom(name.replaceAll(/[^A-Za-z0-9_]/g, "_")).read
}

/** Second factors, which can't be imported. */
export const authenticators = column("not imported, but counted as second factors", (value, { countSkipped }) => {
  if (!isNothing(value)) countSkipped({ what: "authenticator" })
  return {}
})

/**
 * The `sub` of an account at Microsoft. Logins compare it, but some systems store other IDs of the account, which its ID tokens
 * also contain: its object ID or, for a personal account, its 16 hexadecimal digits.
 */
const MICROSOFT_SUBJECT = /^[\w-]{43}$/

/** A profile at a provider. Empty if profiles aren't imported, the provider is unsupported, or logins don't use this ID. */
export const profile = (
  type: RowCredential["credential_type"] | undefined,
  { provider, id }: { readonly provider: string; readonly id: string | undefined },
  { options, countSkipped }: ReadingContext
): Row => {
  if (id === undefined) return {}
  const isUsable = type !== undefined && (type !== "microsoft" || MICROSOFT_SUBJECT.test(id))
  if (isUsable && options.profiles) {
    return { credentials: [{ credential_type: type, provider_user_id: id }] }
  }
  countSkipped({ what: "profile", provider })
  return {}
}

/** Merges memberships, because all org columns of a row describe the same one. */
const mergeMemberships = ([one]: ReadonlyArray<RowMembership>, [other]: ReadonlyArray<RowMembership>) => {
  const org = { ...one?.org, ...other?.org }
  return [{ ...one, ...other, ...(Object.keys(org).length === 0 ? {} : { org }) }]
}

/** Merges two parts of a row. Credentials and custom attributes are combined. For other members, the second value wins. */
export const merge = (one: Row, other: Row): Row => ({
  ...one,
  ...other,
  ...(one.memberships && other.memberships
    ? { memberships: mergeMemberships(one.memberships, other.memberships) }
    : {}),
  ...(one.credentials === undefined && other.credentials === undefined
    ? {}
    : { credentials: [...(one.credentials ?? []), ...(other.credentials ?? [])] }),
  ...(one.custom === undefined && other.custom === undefined ? {} : { custom: { ...one.custom, ...other.custom } })
})
