import type { Realm } from "./Access.ts"
import type { Origin } from "./Body.ts"
import type { UserRow } from "./Database.ts"
import { userMembers } from "./UserBody.ts"

/** The session's own columns. */
export interface SessionRow {
  readonly client_app_id: string | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly session_created_at: Date
  readonly session_expires_at: Date | null
}

/** The response to a session. */
export const sessionBody = (id: string, session: SessionRow, user: UserRow, token: string) => ({
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

/** A session that begins now. */
export const newSession = (realm: Realm, origin: Origin, now: number): SessionRow => ({
  client_app_id: null,
  request_ip: origin.ip,
  request_client: origin.client,
  session_created_at: new Date(now),
  session_expires_at: realm.session_minutes === 0 ? null : new Date(now + realm.session_minutes * 60_000)
})
