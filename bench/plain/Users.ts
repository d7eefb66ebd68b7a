import { DatabaseError } from "pg"
import type { Realm } from "./Access.ts"
import type { Members, Origin } from "./Body.ts"
import type { UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { pageOf } from "./ListedPage.ts"
import { emailTaken, newUserOf } from "./NewUser.ts"
import { query } from "./Statements.ts"
import { credentialsOf, detailsBody, newUserRow, userMembers } from "./UserBody.ts"

interface StoredUser extends UserRow {
  readonly credential_id: string | null
  readonly membership_count: number
}

const notFound = () => new HttpError(404, "user", "not_found", "User could not be found.")

export const getUser = async (realm: Realm, id: string) => {
  if (!isId("usr_", id)) throw notFound()
  const [row] = await query<StoredUser>("userDetails", [realm.id, id])
  if (row === undefined) throw notFound()
  return detailsBody({ ...row, credentials: credentialsOf(row.credential_id) })
}

/** Returns a page of users, sorted by email. The user in `after` is looked up only if no user follows. */
export const listUsers = async (realm: Realm, parameters: URLSearchParams) => {
  const { most, after } = pageOf(parameters)
  if (after !== null && !isId("usr_", after)) throw notFound()
  const rows =
    after === null
      ? await query<UserRow>("usersFirst", [realm.id, most + 1])
      : await query<UserRow>("usersAfter", [realm.id, after, most + 1])
  if (after !== null && rows.length === 0) await getUser(realm, after)
  return { collection: rows.slice(0, most).map(userMembers), more_results: rows.length > most }
}

/**
 * Creates a user with a password hash or without credentials. One statement writes the user and the event. Nothing is
 * read back.
 */
export const createUser = async (realm: Realm, wrapped: Members, origin: Origin) => {
  const user = newUserOf(wrapped)
  const { email, passwordHash, username, firstName, lastName, name, locale, reference } = user
  const id = freshId("usr_")
  const credentialId = passwordHash === undefined ? null : freshId("crd_")
  const now = new Date()
  const named = [email, username, firstName, lastName, name, locale, reference]
  const event = [freshId("ev_"), origin.ip, origin.client]
  try {
    await query("insertUser", [realm.id, id, now, ...named, credentialId, passwordHash, ...event])
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === "users_realm_id_email_idx") throw emailTaken()
    throw error
  }
  const made = newUserRow(realm, user, { id, credentialId, now })
  return { ...detailsBody(made), memberships: [], new_record: true }
}
