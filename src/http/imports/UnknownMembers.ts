import { RowCredential, RowMembership, RowOrg, UserRow } from "#api/imports/Rows"
import { isObject, memberOf } from "#domain/JsonObject"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"

/** Limits for reports of unknown members: their number per row, and the length of each reported name in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

/** The path of a password hash, which is a member of a credential. */
const hash = "credentials[].password_hash"

/** Names that other systems use in their exports for our members. Only letters are compared, in lower case. */
const namesElsewhere: Readonly<Record<string, string>> = {
  id: "reference",
  userid: "reference",
  externalid: "reference",
  emailverified: "email_verification",
  verified: "email_verification",
  givenname: "first_name",
  familyname: "last_name",
  surname: "last_name",
  nickname: "username",
  language: "locale",
  passwordhash: hash,
  passworddigest: hash,
  hash,
  blocked: "state",
  disabled: "state",
  lastlogin: "last_login_at",
  phone: "custom",
  phonenumber: "custom",
  metadata: "custom",
  usermetadata: "custom",
  appmetadata: "custom",
  publicmetadata: "custom",
  privatemetadata: "custom",
  organization: "memberships",
  organizations: "memberships",
  orgs: "memberships",
  roles: "memberships"
}

const namesInCredentials: Readonly<Record<string, string>> = {
  type: "credential_type",
  hash: "password_hash",
  secret: "otp_secret",
  totpsecret: "otp_secret",
  key: "api_key"
}

const namesInMemberships: Readonly<Record<string, string>> = {
  organization: "org",
  orgreference: "org",
  role: "permissions",
  roles: "permissions"
}

/** A kind of object in a row: the members it accepts, and other systems' names for them. */
interface Level {
  readonly known: ReadonlySet<string>
  readonly elsewhere: Readonly<Record<string, string>>
}

const level = (fields: object, elsewhere: Level["elsewhere"]): Level => ({
  known: new Set(Object.keys(fields)),
  elsewhere
})

const user = level(UserRow.fields, namesElsewhere)
const credentialLevel = level(RowCredential.fields, namesInCredentials)
const membership = level(RowMembership.fields, namesInMemberships)
const org = level(RowOrg.fields, { id: "reference", slug: "reference", displayname: "name", metadata: "custom" })

const pathOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

/** Plaintext passwords are not imported, because hashing so many would occupy the service. */
const isClearPassword = (one: Level, name: string): boolean =>
  name === "password" && (one === user || one === credentialLevel)

const problemOf = (path: string, { known, elsewhere }: Level, name: string): Problem => {
  const member = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "")
  const nearest = Object.hasOwn(elsewhere, plain) ? elsewhere[plain] : nearestName(name, known)
  const params = { member, ...(nearest === undefined ? {} : { nearest }), known: [...known].join(", ") }
  return problem(pathOf(path, member), "unknown_member", params)
}

const unknownIn = (value: unknown, path: string, one: Level): ReadonlyArray<Problem> => {
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((name) => !one.known.has(name))
    .slice(0, MAX_REPORTED)
    .flatMap((name) => {
      if (!isClearPassword(one, name)) return [problemOf(path, one, name)]
      return (memberOf(value, name) ?? null) === null ? [] : [problem(pathOf(path, name), "hash_needed")]
    })
}

/** The objects of a row, each with its path and the members it accepts. */
function* objectsIn(row: object): Generator<readonly [path: string, value: unknown, one: Level]> {
  yield ["", row, user]
  const [credentials, memberships] = [memberOf(row, "credentials"), memberOf(row, "memberships")]
  if (Array.isArray(credentials)) {
    for (const [index, value] of credentials.entries()) yield [`credentials[${index}]`, value, credentialLevel]
  }
  if (!Array.isArray(memberships)) return
  for (const [index, value] of memberships.entries()) {
    const path = `memberships[${index}]`
    yield [path, value, membership]
    if (isObject(value)) yield [`${path}.org`, memberOf(value, "org"), org]
  }
}

/** Returns the problems for unknown members of a row. Without them, the data would be lost silently (C79). */
export const unknownMembers = (row: object): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  for (const [path, value, one] of objectsIn(row)) {
    if (problems.length < MAX_REPORTED) problems.push(...unknownIn(value, path, one))
  }
  return problems.slice(0, MAX_REPORTED)
}
