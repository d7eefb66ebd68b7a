import { type Realm, signingKey } from "./Access.ts"
import type { Members, Origin } from "./Body.ts"
import type { UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { newSession, type SessionRow, sessionBody } from "./SessionBody.ts"
import { query } from "./Statements.ts"
import { claimsOf } from "./Tokens.ts"

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

/** Creates a session in one statement, which also finds the user. */
export const createSession = async (realm: Realm, wrapped: Members, origin: Origin) => {
  const userId = wrapped["user_id"]
  if (typeof userId !== "string") throw new HttpError(422, "user_id", "blank", "User can't be blank.")
  const now = Date.now()
  const id = freshId("kss_")
  const session = newSession(realm, origin, now)
  const { session_created_at: createdAt, session_expires_at: expiresAt } = session
  const [user] = isId("usr_", userId)
    ? await query<UserRow>("insertSession", [realm.id, id, userId, origin.ip, origin.client, createdAt, expiresAt])
    : []
  if (user === undefined) throw new HttpError(404, "user", "not_found", "User could not be found.")
  const sign = await signingKey(realm.id)
  return sessionBody(id, session, user, sign(claimsOf(id, user, now, expiresAt)))
}
