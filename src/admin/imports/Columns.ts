import type { UserRow } from "#client/generated/types/UserRow"
import { parseJson } from "#domain/ExactJson"
import { memberOfColumn } from "#domain/UserColumns"

type Membership = NonNullable<UserRow["memberships"]>[number]

/** A partially built row with unvalidated cell values. The service validates it. */
type Part = { readonly [Name in keyof UserRow]: unknown }

const YES = new Set(["true", "t", "yes", "y", "1"])

const isYes = (text: string): boolean => YES.has(text.toLowerCase())

/** Parses a JSON cell. Invalid JSON remains text, which the service rejects with the reason. */
const json = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const stateOf = (text: string): string => {
  const state = text.toLowerCase()
  return state === "active" || state === "inactive" ? state : isYes(text) ? "active" : "inactive"
}

/** Creates a membership. All org columns of a row describe the same one. */
const membership = (made: Membership): Part => ({ memberships: [made] })

/** The conversion of cells to each member. */
const readings: Readonly<Record<string, (text: string) => Part>> = {
  reference: (reference) => ({ reference }),
  email: (email) => ({ email }),
  email_verification: (email_verification) => ({ email_verification }),
  email_verified: (text) => ({ email_verification: isYes(text) ? "verified" : "none" }),
  first_name: (first_name) => ({ first_name }),
  last_name: (last_name) => ({ last_name }),
  name: (name) => ({ name }),
  username: (username) => ({ username }),
  user_type: (user_type) => ({ user_type }),
  state: (text) => ({ state: stateOf(text) }),
  locale: (locale) => ({ locale }),
  created_at: (created_at) => ({ created_at }),
  last_login_at: (last_login_at) => ({ last_login_at }),
  password_hash: (hash) =>
    hash === "NULL" ? {} : { credentials: [{ credential_type: "password", password_hash: hash }] },
  otp_secret: (otp_secret) => ({ credentials: [{ credential_type: "totp", name: "Authenticator app", otp_secret }] }),
  org_reference: (reference) => membership({ org: { reference } }),
  org_name: (name) => membership({ org: { name } }),
  permissions: (permissions) => membership({ permissions }),
  custom: (text) => ({ custom: json(text) }),
  credentials: (text) => ({ credentials: json(text) }),
  memberships: (text) => ({ memberships: json(text) })
}

/** The members that a column can become, besides custom attributes. */
export const members: ReadonlyArray<string> = Object.keys(readings)

/** The custom attribute for a column. */
export const customOf = (column: string): string => `custom.${column.replaceAll(/[^A-Za-z0-9_]/g, "_")}`

/** Returns the member that a column name refers to (which may be a custom attribute), or a blank text if it is unknown. */
export const memberOf = (column: string): string =>
  /^custom\.[A-Za-z0-9_]+$/.test(column) ? column : (memberOfColumn(column, members) ?? "")

const objectOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {})

/** Merges two parts of a row. Credentials and custom attributes are combined. Org columns are merged into one membership. */
const merge = (one: Part, other: Part): Part => ({
  ...one,
  ...other,
  ...(Array.isArray(one.credentials) && Array.isArray(other.credentials)
    ? { credentials: [...one.credentials, ...other.credentials] }
    : {}),
  ...(one.custom !== undefined && typeof other.custom === "object"
    ? { custom: { ...objectOf(one.custom), ...other.custom } }
    : {}),
  ...(Array.isArray(one.memberships) && Array.isArray(other.memberships)
    ? { memberships: [mergeMembership(one.memberships[0], other.memberships[0])] }
    : {})
})

const mergeMembership = (one: unknown, other: unknown): object => {
  const orgs = [one, other].map((side) =>
    objectOf(Object.entries(objectOf(side)).find(([name]) => name === "org")?.[1])
  )
  const org = Object.assign({}, ...orgs)
  return { ...objectOf(one), ...objectOf(other), ...(Object.keys(org).length === 0 ? {} : { org }) }
}

const partOf = (member: string, text: string): Part => {
  if (member.startsWith("custom.")) return { custom: { [member.slice("custom.".length)]: text } }
  return readings[member]?.(text) ?? {}
}

/** Builds a row from a record. `chosen`: the member for each column. Blank members and empty cells are skipped. */
export const rowOf = (chosen: ReadonlyArray<string>, cells: ReadonlyArray<string>): object => {
  let row: Part = {}
  for (const [index, member] of chosen.entries()) {
    const text = cells[index]?.trim() ?? ""
    if (member !== "" && text !== "" && text !== "\\N") row = merge(row, partOf(member, text))
  }
  return row
}
