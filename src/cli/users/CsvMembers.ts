import { UserRow } from "#api/imports/Rows"
import { parseJson } from "#domain/ExactJson"
import { nearestName } from "#domain/NearestName"
import { foreignColumnNames, memberOfColumn, memberOfForeignColumn } from "#domain/UserColumns"
import { customOf } from "./Custom.ts"
import { passwordHash, type Reading } from "./presets/Preset.ts"
import type { Row, RowMembership } from "./Row.ts"
import { flagOf, isEmpty, textOf } from "./Values.ts"

/** Reads a cell unless it is empty. */
const filled =
  (made: (text: string) => Row): Reading =>
  (value) => {
    const text = textOf(value)
    return text === undefined ? {} : made(text)
  }

/** Parses a JSON cell. Invalid JSON stays text, which the service rejects with the reason. */
const json = (member: "custom" | "credentials" | "memberships"): Reading =>
  filled((text) => {
    try {
      return { [member]: parseJson(text) }
    } catch {
      return { [member]: text }
    }
  })

/** Reads a custom attribute, as text or as a JSON value. */
const attribute =
  (key: string): Reading =>
  (value) => {
    const text = textOf(value)
    if (text !== undefined) return { custom: { [key]: text } }
    return isEmpty(value) ? {} : { custom: customOf({ [key]: value }) }
  }

const stateOf = (text: string): "active" | "inactive" => {
  if (text === "active" || text === "inactive") return text
  return flagOf(text) ? "active" : "inactive"
}

/** All org columns of a row form one membership. */
const membership = (made: (text: string) => RowMembership): Reading => filled((text) => ({ memberships: [made(text)] }))

/** The members that need more than a plain text. */
const others: Readonly<Record<string, Reading>> = {
  custom: json("custom"),
  credentials: json("credentials"),
  memberships: json("memberships"),
  state: filled((text) => ({ state: stateOf(text.toLowerCase()) })),
  email_verified: filled((text) => ({ email_verification: flagOf(text) ? "verified" : "none" })),
  password_hash: passwordHash.read,
  otp_secret: filled((text) => ({
    credentials: [{ credential_type: "totp", name: "Authenticator app", otp_secret: text }]
  })),
  org_reference: membership((reference) => ({ org: { reference } })),
  org_name: membership((name) => ({ org: { name } })),
  permissions: membership((permissions) => ({ permissions }))
}

/** All members that columns can have. */
export const csvMembers: ReadonlyArray<string> = [
  ...Object.keys(UserRow.fields).filter((name) => !Object.hasOwn(others, name)),
  ...Object.keys(others)
]

/**
 * The member that no column becomes by its name. A column `id` is usually another system's ID, which becomes the reference.
 */
const ID = "id"

const membersByName = csvMembers.filter((member) => member !== ID)

const customKey = /^custom\.([A-Za-z0-9_]+)$/

/** The reading for a member, or undefined for an unknown member. */
export const readingOf = (member: string): Reading | undefined => {
  const key = customKey.exec(member)?.[1]
  if (key !== undefined) return attribute(key)
  if (Object.hasOwn(others, member)) return others[member]
  return csvMembers.includes(member) ? filled((text) => ({ [member]: text })) : undefined
}

/** The member that corresponds to a column name. */
export const memberOf = (column: string): string | undefined =>
  readingOf(column) === undefined || column === ID ? memberOfColumn(column, membersByName) : column

/** The most similar member name. */
export const nearestMember = (name: string): string | undefined => {
  const [before = "", key] = name.split(/\.(.*)/)
  if (key !== undefined && nearestName(before, ["custom"]) !== undefined) return `custom.${key}`
  const nearest = nearestName(name, [...csvMembers, ...foreignColumnNames])
  return nearest === undefined ? undefined : (memberOfForeignColumn(nearest) ?? nearest)
}
