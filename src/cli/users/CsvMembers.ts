import { UserRow } from "#api/imports/Rows"
import { nearestName } from "#domain/NearestName"
import { passwordHash, type Reading } from "./presets/Preset.ts"
import type { Row, RowMembership } from "./Row.ts"
import { flagOf, textOf } from "./Values.ts"

/** The reading of a cell that says something; an empty one says nothing. */
const filled =
  (made: (text: string) => Row): Reading =>
  (value) => {
    const text = textOf(value)
    return text === undefined ? {} : made(text)
  }

/** JSON in a cell. What is none stays a text, which the service refuses with the reason. */
const json = (member: "custom" | "credentials" | "memberships"): Reading =>
  filled((text) => {
    try {
      return { [member]: JSON.parse(text) }
    } catch {
      return { [member]: text }
    }
  })

const stateOf = (text: string): "active" | "inactive" => {
  if (text === "active" || text === "inactive") return text
  return flagOf(text) ? "active" : "inactive"
}

/** The columns of an org make one membership together. */
const membership = (made: (text: string) => RowMembership): Reading => filled((text) => ({ memberships: [made(text)] }))

/** What a column can be, besides a member of a row that holds a text. */
const others: Readonly<Record<string, Reading>> = {
  custom: json("custom"),
  credentials: json("credentials"),
  memberships: json("memberships"),
  state: filled((text) => ({ state: stateOf(text.toLowerCase()) })),
  email_verified: filled((text) => ({ email_verification: flagOf(text) ? "verified" : "none" })),
  password_hash: passwordHash,
  otp_secret: filled((text) => ({
    credentials: [{ credential_type: "totp", name: "Authenticator app", otp_secret: text }]
  })),
  org_reference: membership((reference) => ({ org: { reference } })),
  org_name: membership((name) => ({ org: { name } })),
  permissions: membership((permissions) => ({ permissions }))
}

/** Everything that a column can be. */
export const csvMembers: ReadonlyArray<string> = [
  ...Object.keys(UserRow.fields).filter((name) => !Object.hasOwn(others, name)),
  ...Object.keys(others)
]

const customKey = /^custom\.([A-Za-z0-9_]+)$/

/** How a column is read that is this member; undefined if nothing is called so. */
export const readingOf = (member: string): Reading | undefined => {
  const key = customKey.exec(member)?.[1]
  if (key !== undefined) return filled((text) => ({ custom: { [key]: text } }))
  if (Object.hasOwn(others, member)) return others[member]
  return csvMembers.includes(member) ? filled((text) => ({ [member]: text })) : undefined
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** What columns are called elsewhere, as lower-case letters. */
const elsewhere: Readonly<Record<string, string>> = {
  id: "reference",
  userid: "reference",
  uid: "reference",
  uuid: "reference",
  externalid: "reference",
  emailaddress: "email",
  mail: "email",
  emailconfirmed: "email_verified",
  verified: "email_verified",
  firstname: "first_name",
  givenname: "first_name",
  lastname: "last_name",
  familyname: "last_name",
  surname: "last_name",
  login: "username",
  language: "locale",
  lang: "locale",
  active: "state",
  enabled: "state",
  hash: "password_hash",
  passworddigest: "password_hash",
  encryptedpassword: "password_hash",
  created: "created_at",
  signedupat: "created_at",
  lastlogin: "last_login_at",
  lastsigninat: "last_login_at",
  totpsecret: "otp_secret",
  organization: "org_name",
  organizationname: "org_name",
  organizationid: "org_reference",
  orgid: "org_reference",
  roles: "permissions",
  role: "permissions"
}

/** The member that a column is by its name. */
export const memberOf = (column: string): string | undefined => {
  if (readingOf(column) !== undefined) return column
  const name = bare(column)
  return (
    csvMembers.find((member) => bare(member) === name) ?? (Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined)
  )
}

/** The member that somebody may have meant. */
export const nearestMember = (name: string): string | undefined => {
  const [before = "", key] = name.split(/\.(.*)/)
  if (key !== undefined && nearestName(before, ["custom"]) !== undefined) return `custom.${key}`
  const nearest = nearestName(name, [...csvMembers, ...Object.keys(elsewhere)])
  return nearest === undefined ? undefined : (elsewhere[nearest] ?? nearest)
}
