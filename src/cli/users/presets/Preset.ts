import type { Row, RowCredential, RowMembership, SourceRecord } from "../Row.ts"
import { flagOf, namesOf, textOf, timeOf } from "../Values.ts"

/** What of a user does not come along: of a profile, the provider. */
export type LeftOut =
  | { readonly what: "password" | "authenticator" }
  | { readonly what: "profile"; readonly provider: string }

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
  /** Counts what is left out. */
  readonly leaveOut: (what: LeftOut) => void
}

/** Makes the part of a row that comes of one column or member. */
export type Reading = (value: unknown, around: Around) => Row

/** How users of another system are read. */
export interface Preset {
  /** The system's name. */
  readonly system: string
  /** Its columns, or members of its JSON, and what becomes of them. */
  readonly columns: Readonly<Record<string, Reading>>
  /** Columns that are known and not needed, besides those that are told to be left out. */
  readonly unused?: ReadonlyArray<string>
  /** All columns that begin so are read the same way. */
  readonly prefixes?: Readonly<Record<string, (name: string) => Reading>>
  /** The columns of its CSV, where that has no header. */
  readonly header?: ReadonlyArray<string>
  /** Why a record is no user to import; undefined if it is one. */
  readonly passes?: (record: SourceRecord) => Passed | undefined
  /** The members of its JSON documents that hold the users. */
  readonly lists: ReadonlyArray<string>
  /** Makes one flat object of a nested one, before the columns are read. */
  readonly flatten?: (record: SourceRecord) => SourceRecord
  /** What to know before users log in, if a password can't come along. */
  readonly passwords?: string
}

type TextMember = "reference" | "email" | "username" | "first_name" | "last_name" | "name" | "locale"

/** A text as it is. */
export const text =
  (member: TextMember): Reading =>
  (value) => {
    const found = textOf(value)
    return found === undefined ? {} : { [member]: found }
  }

/** A time of the other system. */
export const time =
  (member: "created_at" | "last_login_at"): Reading =>
  (value) => {
    const found = timeOf(value)
    return found === undefined ? {} : { [member]: found }
  }

/** Whether the e-mail was proved, as true or false. */
export const verifiedFlag: Reading = (value) => ({ email_verification: flagOf(value) ? "verified" : "none" })

/** When the e-mail was proved. */
export const verifiedAt: Reading = (value) => ({
  email_verification: timeOf(value) === undefined ? "none" : "verified"
})

/** Whether nobody may log in. */
export const blockedFlag: Reading = (value) => (flagOf(value) ? { state: "inactive" } : {})

/** Whether somebody may log in. */
export const enabledFlag: Reading = (value) =>
  value === undefined || value === null || value === "" || flagOf(value) ? {} : { state: "inactive" }

/** A whole name, where the record has no first and last name of its own in these members. */
export const wholeName =
  (...own: ReadonlyArray<string>): Reading =>
  (value, { record }) => {
    const whole = textOf(value)
    return whole === undefined || own.some((name) => textOf(record[name]) !== undefined) ? {} : namesOf(whole)
  }

/** A hash that the service takes as it is. */
export const passwordHash: Reading = (value) => {
  const hash = textOf(value)
  return hash === undefined || hash === "NULL" ? {} : password(hash)
}

/** The credential of a password hash. */
export const password = (hash: string): Row => ({
  credentials: [{ credential_type: "password", password_hash: hash }]
})

/** A custom attribute with a text. */
export const custom =
  (key: string): Reading =>
  (value) => {
    const found = textOf(value)
    return found === undefined ? {} : { custom: { [key]: found } }
  }

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
