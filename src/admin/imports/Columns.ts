import type { UserRow } from "#client/generated/types/UserRow"
import { parseJson } from "#domain/ExactJson"
import { memberOfColumn } from "#domain/UserColumns"

type Membership = NonNullable<UserRow["memberships"]>[number]

/** A row while it is put together, of whatever its cells say. The service checks it. */
type Part = { readonly [Name in keyof UserRow]: unknown }

const YES = new Set(["true", "t", "yes", "y", "1"])

const isYes = (text: string): boolean => YES.has(text.toLowerCase())

/** JSON in a cell. What is none stays a text, which the service refuses with the reason. */
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

/** The columns of an org make one membership together. */
const membership = (made: Membership): Part => ({ memberships: [made] })

/** What a column can be, and what its cells say then. */
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

/** Everything that a column can be, besides a custom attribute. */
export const members: ReadonlyArray<string> = Object.keys(readings)

/** The custom attribute that a column becomes. */
export const customOf = (column: string): string => `custom.${column.replaceAll(/[^A-Za-z0-9_]/g, "_")}`

/** The member that a column is by its name; a custom attribute if it is called so; blank if nobody knows. */
export const memberOf = (column: string): string =>
  /^custom\.[A-Za-z0-9_]+$/.test(column) ? column : (memberOfColumn(column, members) ?? "")

const objectOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {})

/** Two parts of a row as one. Credentials and custom attributes add up, and columns of an org are parts of one membership. */
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

/** The row of a record, whose columns are these members; a blank one is left out, as is an empty cell. */
export const rowOf = (chosen: ReadonlyArray<string>, cells: ReadonlyArray<string>): object => {
  let row: Part = {}
  for (const [index, member] of chosen.entries()) {
    const text = cells[index]?.trim() ?? ""
    if (member !== "" && text !== "" && text !== "\\N") row = merge(row, partOf(member, text))
  }
  return row
}
