import type { GrantBodyV1, GrantBodyV2 } from "#api/grants/Endpoints"
import type { ListedGrant } from "#domain/oauth/OAuthGrant"
import { timeT, timeTOrNull } from "../WireMapping.ts"

const members = (grant: ListedGrant) => ({
  id: grant.id,
  object: "grant" as const,
  state: grant.isActive ? ("active" as const) : ("ended" as const),
  user_id: grant.userId,
  session_id: grant.sid,
  scopes: grant.scopes,
  resources: grant.resources,
  org_id: grant.orgId,
  created_at: timeT(grant.createdAt),
  last_used_at: timeT(grant.lastUsedAt),
  expires_at: timeT(grant.expiresAt),
  ended_at: timeTOrNull(grant.endedAt)
})

/** A grant under `/v1`. */
export const grantBodyV1 = (grant: ListedGrant): typeof GrantBodyV1.Type => ({
  ...members(grant),
  login_policy_id: grant.clientId
})

/** A grant under `/v2`. */
export const grantBodyV2 = (grant: ListedGrant): typeof GrantBodyV2.Type => ({
  ...members(grant),
  client_app_id: grant.clientId
})
