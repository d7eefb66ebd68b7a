import { type Realm, signingKey } from "./Access.ts"
import type { Members } from "./Body.ts"
import { query, type UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { claimsOf } from "./Tokens.ts"
import { userMembers } from "./Users.ts"

interface SessionRow {
  readonly client_app_id: string | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly session_created_at: Date
  readonly session_expires_at: Date | null
}

const sessionBody = (id: string, session: SessionRow, user: UserRow, token: string) => ({
  id,
  object: "session",
  client_app_id: session.client_app_id,
  created_at: session.session_created_at.getTime() / 1_000,
  expires_at: session.session_expires_at === null ? null : session.session_expires_at.getTime() / 1_000,
  user_id: user.id,
  request:
    session.request_ip === null && session.request_client === null
      ? null
      : { ip: session.request_ip, client: session.request_client },
  token,
  user: { ...userMembers(user), custom: user.custom }
})

/** Returns an unexpired session of an active user, with a token issued now. */
export const getSession = async (realm: Realm, id: string) => {
  const now = Date.now()
  const [row] = isId("kss_", id)
    ? await query<UserRow & SessionRow>("sessionWithUser", [realm.id, id, new Date(now)])
    : []
  if (row === undefined || row.state === "inactive") {
    throw new HttpError(404, "session", "not_found", "Session could not be found.")
  }
  const sign = await signingKey(realm.id)
  return sessionBody(id, row, row, sign(claimsOf(id, row, now, row.session_expires_at)))
}

/** Creates a session: reads the user, inserts the row, signs the token. */
export const createSession = async (
  realm: Realm,
  wrapped: Members,
  origin: { readonly ip: string | null; readonly client: string | null }
) => {
  const userId = wrapped["user_id"]
  if (typeof userId !== "string") throw new HttpError(422, "user_id", "blank", "User can't be blank.")
  const [user] = isId("usr_", userId) ? await query<UserRow>("user", [realm.id, userId]) : []
  if (user === undefined || user.state === "inactive") {
    throw new HttpError(404, "user", "not_found", "User could not be found.")
  }
  const now = Date.now()
  const id = freshId("kss_")
  const session: SessionRow = {
    client_app_id: null,
    request_ip: origin.ip,
    request_client: origin.client,
    session_created_at: new Date(now),
    session_expires_at: realm.session_minutes === 0 ? null : new Date(now + realm.session_minutes * 60_000)
  }
  const { session_created_at: createdAt, session_expires_at: expiresAt } = session
  await query("insertSession", [realm.id, id, user.id, null, origin.ip, origin.client, createdAt, expiresAt])
  const sign = await signingKey(realm.id)
  return sessionBody(id, session, user, sign(claimsOf(id, user, now, expiresAt)))
}
