import { DatabaseError } from "pg"
import type { Realm } from "./Access.ts"
import { listOf, type Members, textOf } from "./Body.ts"
import { query, transaction, type UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"

interface DetailsRow extends UserRow {
  readonly membership_count: number
  readonly credentials: ReadonlyArray<readonly [id: string, credentialType: string]>
}

const timeT = (at: Date): number => at.getTime() / 1_000

/** The members of a user that every response contains. */
export const userMembers = (row: UserRow) => ({
  id: row.id,
  object: "user",
  state: row.state,
  realm_id: row.realm_id,
  created_at: timeT(row.created_at),
  last_login_at: row.last_login_at === null ? null : timeT(row.last_login_at),
  email: row.email,
  email_pending: row.email_pending,
  email_verification: row.email_verification,
  first_name: row.first_name,
  last_name: row.last_name,
  name: row.name,
  username: row.username,
  locale: row.locale,
  reference: row.reference
})

const detailsBody = (row: DetailsRow) => ({
  ...userMembers(row),
  custom: row.custom,
  credentials: row.credentials.map(([id, credentialType]) => ({
    id,
    object: "credential",
    credential_type: credentialType
  })),
  membership_count: row.membership_count
})

const notFound = () => new HttpError(404, "user", "not_found", "User could not be found.")

export const getUser = async (realm: Realm, id: string) => {
  if (!isId("usr_", id)) throw notFound()
  const [row] = await query<DetailsRow>("userDetails", [new Date(), realm.id, id])
  if (row === undefined) throw notFound()
  return detailsBody(row)
}

/** A page of users sorted by e-mail, the default of the service. Other sorts and filters are not supported. */
export const listUsers = async (realm: Realm, parameters: URLSearchParams) => {
  for (const name of parameters.keys()) {
    if (name !== "after" && name !== "max_results") throw new HttpError(422, name, "unknown", `${name} is not known.`)
  }
  const most = Number(parameters.get("max_results") ?? 100)
  if (!Number.isInteger(most) || most < 1 || most > 1_000) {
    throw new HttpError(422, "max_results", "range", "max_results must be from 1 to 1000.")
  }
  const after = parameters.get("after")
  if (after !== null) {
    const [found] = isId("usr_", after) ? await query<UserRow>("user", [realm.id, after]) : []
    if (found === undefined) throw notFound()
  }
  const rows =
    after === null
      ? await query<UserRow>("usersFirst", [realm.id, most + 1])
      : await query<UserRow>("usersAfter", [realm.id, realm.id, after, after, most + 1])
  return { collection: rows.slice(0, most).map(userMembers), more_results: rows.length > most }
}

const canonical = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC").trim()

const emailForm = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

const emailOf = (wrapped: Members): string => {
  const email = canonical(textOf(wrapped, "email") ?? "")
  if (email.length > 254 || !emailForm.test(email))
    throw new HttpError(422, "email", "email_form", "Email is not valid.")
  return email
}

const hashForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/

const passwordHashOf = (wrapped: Members): string => {
  const [credential, second] = listOf(wrapped, "credentials")
  const hash = credential?.["credential_type"] === "password" ? credential["password_hash"] : undefined
  const [, m, t, p] = (typeof hash === "string" && hashForm.exec(hash)) || []
  if (second !== undefined || typeof hash !== "string" || Number(m) > 262_144 || Number(t) > 10 || !(Number(p) <= 8)) {
    throw new HttpError(422, "credentials", "unsupported_hash", "The password hash is not supported.")
  }
  return hash
}

/** Creates a user with a password hash. Orgs are not supported. */
export const createUser = async (
  realm: Realm,
  wrapped: Members,
  origin: { readonly ip: string | null; readonly client: string | null }
) => {
  const email = emailOf(wrapped)
  const passwordHash = passwordHashOf(wrapped)
  const username = textOf(wrapped, "username")
  const firstName = textOf(wrapped, "first_name")
  const lastName = textOf(wrapped, "last_name")
  const full = [firstName, lastName].filter((part) => part !== null).join(" ")
  const name = full || username || email.slice(0, email.indexOf("@"))
  const sortName = canonical(name)
  const sortNameAlt = lastName === null ? sortName : `${canonical(lastName)} ${canonical(firstName ?? "")}`
  const id = freshId("usr_")
  const now = new Date()
  const locale = textOf(wrapped, "locale")
  const reference = textOf(wrapped, "reference")
  const usernameKey = username === null ? null : canonical(username)
  const keyed = [realm.id, id, "human", now, true, realm.id, "active", email, null, "none"]
  const named = [username, usernameKey, firstName, lastName, name, sortName, sortNameAlt, locale, reference, "{}", null]
  try {
    return await transaction(async (client) => {
      await query("insertUser", [...keyed, ...named], client)
      await query("putPassword", [realm.id, freshId("crd_"), id, passwordHash, now], client)
      const event = [freshId("ev_"), realm.id, "user.created", now, id, null, null, null, null]
      await query("insertEvent", [...event, origin.ip, origin.client], client)
      const [made] = await query<DetailsRow>("userDetails", [now, realm.id, id], client)
      if (made === undefined) throw notFound()
      return { ...detailsBody(made), memberships: [], new_record: true }
    })
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === "users_unique_email") {
      throw new HttpError(422, "email", "taken", "Email has already been taken.")
    }
    throw error
  }
}
