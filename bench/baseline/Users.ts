import { DatabaseError, type QueryResultRow } from "pg"
import type { Realm } from "./Access.ts"
import type { Members, Origin } from "./Body.ts"
import { query, type UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { pageOf } from "./ListedPage.ts"
import { emailTaken, newUserOf } from "./NewUser.ts"
import { type DetailsRow, detailsBody, newUserRow, userMembers } from "./UserBody.ts"
import { credentialsParameter, eventsParameter } from "./UserCreation.ts"

/** The realm id of account-wide hooks. */
const ACCOUNT = "rl_00000000000000000000000000"

interface HooksRow extends QueryResultRow {
  readonly active_hooks: string
}

/** The active hooks in the cases. */
const NO_HOOKS = "[]"

const notFound = () => new HttpError(404, "user", "not_found", "User could not be found.")

export const getUser = async (realm: Realm, id: string) => {
  if (!isId("usr_", id)) throw notFound()
  const [row] = await query<DetailsRow>("userDetails", [new Date(), realm.id, id])
  if (row === undefined) throw notFound()
  return detailsBody(row)
}

/** A page of users sorted by email, the default order. */
export const listUsers = async (realm: Realm, parameters: URLSearchParams) => {
  const { most, after } = pageOf(parameters)
  if (after !== null && !isId("usr_", after)) throw notFound()
  const first = [realm.id, most + 1]
  const next = [realm.id, realm.id, after, after, most + 1]
  const rows =
    after === null
      ? await query<UserRow>("usersFirst", [...first, ...first, most + 1])
      : await query<UserRow>("usersAfter", [...next, ...next, most + 1])
  // The page is empty if the user to start after doesn't exist.
  if (after !== null && rows.length === 0 && (await query<UserRow>("user", [realm.id, after])).length === 0)
    throw notFound()
  return { collection: rows.slice(0, most).map(userMembers), more_results: rows.length > most }
}

/** Creates a user with a password hash or without credentials. Nothing is read back. */
export const createUser = async (realm: Realm, wrapped: Members, origin: Origin, keyId: string) => {
  const user = newUserOf(wrapped)
  const { email, passwordHash, username, usernameKey, firstName, lastName, name, sortName, sortNameAlt } = user
  const id = freshId("usr_")
  const credentialId = passwordHash === undefined ? null : freshId("crd_")
  const now = new Date()
  const scope = [realm.id, ACCOUNT, realm.id, ACCOUNT, ["user.created"], [], NO_HOOKS]
  const keyed = [id, "human", now, true, "active", email, null, "none"]
  const named = [username, usernameKey, firstName, lastName, name, sortName, sortNameAlt]
  const rest = [user.locale, user.reference, "{}", null]
  const lastLogin = [id, "human", "active"]
  const values = [...scope, ...keyed, ...named, ...rest, ...lastLogin]
  const event = { id: freshId("ev_"), event_type: "user.created", event_at: now, user_id: id, changed: [] }
  const by = { actor_type: "api_key", actor_id: keyId, request_ip: origin.ip, request_client: origin.client }
  const events = eventsParameter({ ...event, ...by })
  const credential = { id: credentialId, user_id: id, credential_type: "password", password_hash: passwordHash }
  try {
    const [row] =
      credentialId === null
        ? await query<HooksRow>("insertUser", [...values, events])
        : await query<HooksRow>("insertUserWithCredentials", [
            ...values,
            credentialsParameter({ ...credential, created_at: now }),
            events
          ])
    if (row?.active_hooks !== NO_HOOKS) throw new Error("The baseline supports only existing realms without hooks.")
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === "users_unique_email") throw emailTaken()
    throw error
  }
  return { ...detailsBody(newUserRow(realm, user, { id, credentialId, now })), memberships: [], new_record: true }
}
