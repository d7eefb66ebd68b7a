import type { Row, RowCredential, RowMembership, SourceRecord } from "../Row.ts"
import { flagOf, isNothing, namesOf, secondsOf, textOf, timeOf } from "../Values.ts"

/** What of a user is not imported: of a profile, the provider; of a step that the next login was to ask for, its name. */
export type LeftOut =
  | { readonly what: "password" | "temporary_password" | "authenticator" }
  | { readonly what: "profile"; readonly provider: string }
  | { readonly what: "required_action"; readonly action: string }

/** Why a user is not imported at all. */
export type Passed = "deleted" | "guest" | "program"

/** What presets are told on the command line. */
export interface PresetOptions {
  /** The scrypt parameters of Firebase, as a beginning of its hashes. */
  readonly firebaseHash?: string | undefined
  /** Whether profiles at providers come along. */
  readonly profiles: boolean
}

/** What a reading may look at besides its value. */
export interface Around {
  readonly record: SourceRecord
  readonly options: PresetOptions
  /** The time of the import, in Unix seconds. */
  readonly now: number
  /** Counts what is left out. */
  readonly leaveOut: (what: LeftOut) => void
  /** Counts a user who is inactive because of a lock with a time, which stands in this column. */
  readonly keepLock: (column: string) => void
}

/** Makes the part of a row that comes of one column or member. */
export type Reading = (value: unknown, around: Around) => Row

/** A column of an export. */
export interface Column {
  /** What becomes of it, in Markdown, as the table of the guide has it. */
  readonly becomes: string
  readonly read: Reading
}

/** How users of another system are read. */
export interface Preset {
  /** The system's name. */
  readonly system: string
  /** Every column of its export, or member of its JSON, and what becomes of it. */
  readonly columns: Readonly<Record<string, Column>>
  /** All columns that begin so are read the same way. `becomes`: of all of them. */
  readonly prefixes?: Readonly<Record<string, { readonly becomes: string; readonly read: (name: string) => Reading }>>
  /** The columns of its CSV, where that has no header. */
  readonly header?: ReadonlyArray<string>
  /** Why a record is no user to import; undefined if it is one. */
  readonly passes?: (record: SourceRecord) => Passed | undefined
  /** The members of its JSON documents that hold the users. */
  readonly lists: ReadonlyArray<string>
  /** Makes one flat object of a nested one, before the columns are read. */
  readonly flatten?: (record: SourceRecord) => SourceRecord
  /** Undoes what the system does to the cells of a CSV, and to no JSON. */
  readonly fromCells?: (record: SourceRecord) => SourceRecord
  /** Columns that together tell its exports from those of others. */
  readonly marks: ReadonlyArray<ReadonlyArray<string>>
  /** What to know before users log in, if a password can't come along. */
  readonly passwords?: string
}

type TextMember = "reference" | "email" | "username" | "first_name" | "last_name" | "name" | "locale"

/** A column and what becomes of it. */
export const column = (becomes: string, read: Reading): Column => ({ becomes, read })

/** A known column that the service has no use for: the report counts the users who have something in it. */
export const leftOut: Column = { becomes: "left out", read: () => ({}) }

/** A column that is read together with another one. */
export const partOf = (other: string): Column => ({ becomes: `read with \`${other}\``, read: () => ({}) })

/** A column that decides whether a user is imported at all. */
export const passesOver = (whom: string): Column => ({ becomes: `${whom} are not imported`, read: () => ({}) })

/** A text as it is. */
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

/** Whether the email was proved, as true or false. */
export const verifiedFlag = column(verification, (value) => ({
  email_verification: flagOf(value) ? "verified" : "none"
}))

/** When the email was proved. */
export const verifiedAt = column(verification, (value) => ({
  email_verification: timeOf(value) === undefined ? "none" : "verified"
}))

/** Whether nobody may log in. */
export const blockedFlag = column("`state`", (value) => (flagOf(value) ? { state: "inactive" } : {}))

/** Whether somebody may log in. */
export const enabledFlag = column("`state`", (value) =>
  textOf(value) === undefined && typeof value !== "boolean" ? {} : flagOf(value) ? {} : { state: "inactive" }
)

/** A user is locked by a time, which a custom attribute keeps: the service knows locks without an end only. */
const lockedBy = (name: string, value: unknown, { keepLock }: Around): Row => {
  keepLock(name)
  return { state: "inactive", custom: { [name]: textOf(value) ?? null } }
}

const keptLock = (name: string) => `\`state\`; the time becomes \`custom.${name}\``

/** Until when nobody may log in. What has no end, or can't be read as a time, is a lock, too. */
export const lockedUntil = (name: string): Column =>
  column(`${keptLock(name)} unless it has passed`, (value, around) => {
    const until = textOf(value)
    if (until === undefined || until === "-infinity") return {}
    const at = secondsOf(until)
    return at !== undefined && at <= around.now ? {} : lockedBy(name, until, around)
  })

/** Since when nobody may log in. */
export const lockedSince = (name: string): Column =>
  column(keptLock(name), (value, around) => (textOf(value) === undefined ? {} : lockedBy(name, value, around)))

/** A whole name, where the record has no first and last name of its own in these members. */
export const wholeName = (...own: ReadonlyArray<string>): Column =>
  column("`first_name` and `last_name`", (value, { record }) => {
    const whole = textOf(value)
    return whole === undefined || own.some((name) => textOf(record[name]) !== undefined) ? {} : namesOf(whole)
  })

/** A hash that the service takes as it is. */
export const passwordHash = column("the password", (value) => {
  const hash = textOf(value)
  return hash === undefined || hash === "NULL" ? {} : password(hash)
})

/** The credential of a password hash. */
export const password = (hash: string): Row => ({
  credentials: [{ credential_type: "password", password_hash: hash }]
})

/** A custom attribute with a text. */
export const custom = (key: string): Column =>
  column(`\`custom.${key}\``, (value) => {
    const found = textOf(value)
    return found === undefined ? {} : { custom: { [key]: found } }
  })

/** Custom attributes of all columns that begin in the same way. */
export const customPrefix = {
  becomes: "`custom.…`",
  read: (name: string): Reading => custom(name.replaceAll(/[^A-Za-z0-9_]/g, "_")).read
}

/** Second factors that the service can't take over. */
export const authenticators = column("left out and counted as second factors", (value, { leaveOut }) => {
  if (!isNothing(value)) leaveOut({ what: "authenticator" })
  return {}
})

/** The profile at a provider, or nothing where profiles stay behind or the service has no such provider. */
export const profile = (
  type: RowCredential["credential_type"] | undefined,
  { provider, id }: { readonly provider: string; readonly id: string | undefined },
  { options, leaveOut }: Around
): Row => {
  if (id === undefined) return {}
  if (type !== undefined && options.profiles) {
    return { credentials: [{ credential_type: type, provider_user_id: id }] }
  }
  leaveOut({ what: "profile", provider })
  return {}
}

/** The columns of an org are parts of one membership. */
const mergeMemberships = ([one]: ReadonlyArray<RowMembership>, [other]: ReadonlyArray<RowMembership>) => {
  const org = { ...one?.org, ...other?.org }
  return [{ ...one, ...other, ...(Object.keys(org).length === 0 ? {} : { org }) }]
}

/** Two parts of a row as one. Credentials and custom attributes add up; of other members the later one counts. */
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
