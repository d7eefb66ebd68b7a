import { DatabaseError, type QueryResultRow } from "pg"
import type { Realm } from "./Access.ts"
import type { Members, Origin } from "./Body.ts"
import { query, transaction, type UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { pageOf } from "./ListedPage.ts"
import { emailTaken, newUserOf } from "./NewUser.ts"
import { type DetailsRow, detailsBody, userMembers } from "./UserBody.ts"

/** The realm of the hooks that hear all realms. */
const ACCOUNT = "rl_00000000000000000000000000"

interface HookRow extends QueryResultRow {
  readonly id: string | null
}

const noRelations = {
  org_id: null,
  membership_id: null,
  invitation_id: null,
  session_id: null,
  auth_provider_id: null,
  hook_id: null,
  login_policy_id: null,
  token_id: null
}

const notFound = () => new HttpError(404, "user", "not_found", "User could not be found.")

export const getUser = async (realm: Realm, id: string) => {
  if (!isId("usr_", id)) throw notFound()
  const [row] = await query<DetailsRow>("userDetails", [new Date(), realm.id, id])
  if (row === undefined) throw notFound()
  return detailsBody(row)
}

/** A page of users sorted by e-mail, the default of the service. */
export const listUsers = async (realm: Realm, parameters: URLSearchParams) => {
  const { most, after } = pageOf(parameters)
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

/** Creates a user, with a password hash or without credentials. */
export const createUser = async (realm: Realm, wrapped: Members, origin: Origin) => {
  const user = newUserOf(wrapped)
  const { email, passwordHash, username, usernameKey, firstName, lastName, name, sortName, sortNameAlt } = user
  const id = freshId("usr_")
  const now = new Date()
  const keyed = [realm.id, id, "human", now, true, realm.id, "active", email, null, "none"]
  const named = [username, usernameKey, firstName, lastName, name, sortName, sortNameAlt]
  const rest = [user.locale, user.reference, "{}", false]
  try {
    return await transaction(async (client) => {
      await query("insertUser", [...keyed, ...named, ...rest], client)
      if (passwordHash !== undefined) {
        const credential = [realm.id, freshId("crd_"), id, "password", null, passwordHash, null, now]
        await query("insertCredential", [...credential, null, null, null, null, null], client)
      }
      const event = { ...noRelations, id: freshId("ev_"), event_type: "user.created", event_at: now, user_id: id }
      const events = JSON.stringify([{ ...event, request_ip: origin.ip, request_client: origin.client }])
      const scope = [realm.id, ACCOUNT, realm.id, ACCOUNT, ["user.created"]]
      const [hook] = await query<HookRow>("insertEvents", [events, ...scope], client)
      if (hook === undefined || hook.id !== null)
        throw new Error("The baseline knows existing realms without hooks only.")
      const [made] = await query<DetailsRow>("userDetails", [now, realm.id, id], client)
      if (made === undefined) throw notFound()
      return { ...detailsBody(made), memberships: [], new_record: true }
    })
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === "users_unique_email") throw emailTaken()
    throw error
  }
}
