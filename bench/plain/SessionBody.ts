import type { Realm } from "./Access.ts"
import type { Origin } from "./Body.ts"
import type { UserRow } from "./Database.ts"
import { userMembers } from "./UserBody.ts"

/** The columns of the session itself. */
export interface SessionRow {
  readonly client_app_id: string | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly authenticated_at: Date | null
  readonly auth_methods: ReadonlyArray<string>
  readonly last_seen_at: Date | null
  readonly session_created_at: Date
  readonly session_expires_at: Date | null
}

const secondsOf = (time: Date | null) => (time === null ? null : time.getTime() / 1_000)

/** The response to a session. */
export const sessionBody = (id: string, session: SessionRow, user: UserRow, token: string) => ({
  id,
  object: "session",
  client_app_id: session.client_app_id,
  created_at: session.session_created_at.getTime() / 1_000,
  expires_at: secondsOf(session.session_expires_at),
  auth_time: secondsOf(session.authenticated_at),
  amr: session.auth_methods,
  // The level of the login methods. Sessions of the benchmark have none.
  acr: null,
  last_seen_at: secondsOf(session.last_seen_at),
  user_id: user.id,
  request:
    session.request_ip === null && session.request_client === null
      ? null
      : { ip: session.request_ip, client: session.request_client },
  token,
  user: { ...userMembers(user), custom: user.custom }
})

/** A session that starts now. */
export const newSession = (realm: Realm, origin: Origin, now: number): SessionRow => ({
  client_app_id: null,
  request_ip: origin.ip,
  request_client: origin.client,
  authenticated_at: null,
  auth_methods: [],
  last_seen_at: null,
  session_created_at: new Date(now),
  session_expires_at: realm.session_minutes === 0 ? null : new Date(now + realm.session_minutes * 60_000)
})
