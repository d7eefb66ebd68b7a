import type { DateTime } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { AppId, GrantId, OrgId, RealmId, UserId } from "#domain/Ids"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { type AuthenticationColumns, authenticationFromRow } from "../users/AuthenticationColumns.ts"

/** A row of `oauth_grants`. */
export interface OAuthGrantRow extends AuthenticationColumns {
  readonly realm_id: RealmId
  readonly id: GrantId
  readonly client_id: AppId
  readonly user_id: UserId
  readonly sid: string | null
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly org_id: OrgId | null
  readonly claims: string | null
  readonly jkt: string | null
  readonly created_at: Date
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly ended_at: Date | null
}

export const oauthGrantFromRow = (row: OAuthGrantRow): OAuthGrant => ({
  id: row.id,
  realmId: row.realm_id,
  clientId: row.client_id,
  userId: row.user_id,
  sid: row.sid,
  scopes: row.scopes,
  resources: row.resources,
  orgId: row.org_id,
  claims: row.claims,
  jkt: row.jkt,
  authentication: authenticationFromRow(row),
  createdAt: utc(row.created_at),
  lastUsedAt: utc(row.last_used_at),
  expiresAt: utc(row.expires_at),
  endedAt: utcOrNull(row.ended_at)
})

/** A condition for active grants `g`: not ended, and with either `offline_access` or an active session. */
export const isActiveGrant = (sql: SqlClient, now: DateTime.Utc): Fragment => sql`g.ended_at is null
  and (g.sid is null or 'offline_access' = any(g.scopes) or exists (select from sessions s
    where s.realm_id = g.realm_id and s.id = g.sid and s.expires_at > ${date(now)})
  or exists (select from browser_sessions b
    where b.realm_id = g.realm_id and b.sid = g.sid and b.expires_at > ${date(now)}))`
