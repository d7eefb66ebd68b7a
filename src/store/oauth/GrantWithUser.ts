import type { DateTime } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { GrantId } from "#domain/Ids"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import type { User } from "#domain/User"
import { date } from "../statements/Rows.ts"
import { type UserRow, userColumns, userFromRow } from "../users/UsersRepo.ts"
import { type OAuthGrantRow, oauthGrantFromRow } from "./OAuthGrantRows.ts"

/** A grant with its user. `hasSession` is whether the grant's session is still active. */
export interface StoredGrant {
  readonly grant: OAuthGrant
  readonly user: User
  readonly hasSession: boolean
}

/** The joined row of a grant and its user. The grant's id and creation time have different names. */
export interface GrantWithUserRow extends Omit<OAuthGrantRow, "id" | "created_at">, Omit<UserRow, "id"> {
  readonly grant_id: GrantId
  readonly granted_at: Date
  readonly has_session: boolean
}

/** The columns of `GrantWithUserRow` except `has_session`, for tables named `g` and `u`. */
export const grantWithUserColumns = `g.id as grant_id, g.client_id, g.user_id, g.sid, g.scopes, g.resources, g.org_id, g.claims, g.jkt,
  g.auth_methods, g.authenticated_at, g.created_at as granted_at, g.last_used_at, g.expires_at, g.ended_at,
  ${userColumns.replace("u.id, ", "")}`

export const storedGrantFromRow = (row: GrantWithUserRow): StoredGrant => ({
  grant: oauthGrantFromRow({ ...row, id: row.grant_id, created_at: row.granted_at }),
  user: userFromRow({ ...row, id: row.user_id }),
  hasSession: row.has_session
})

/** The column `has_session`: whether the session of a grant `g` is still active. */
export const hasSession = (sql: SqlClient, now: DateTime.Utc) => sql`(exists (
    select from sessions s where s.realm_id = g.realm_id and s.id = g.sid and s.expires_at > ${date(now)})
  or exists (
    select from browser_sessions b where b.realm_id = g.realm_id and b.sid = g.sid and b.expires_at > ${date(now)})
  ) as has_session`
