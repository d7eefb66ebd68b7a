import { values } from "#api/Wire"
import { parsePermissions } from "#domain/Permission"
import type { Problem } from "#domain/Rejected"
import { type OrgPayload, orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { mergeParameter } from "../WireMapping.ts"

/** The orgs that a new user joins, inside the wrapper or next to it (C7): a new org, or existing orgs. */
interface OrgsOfNewUser {
  readonly org?: OrgPayload | null
  readonly org_ids?: ReadonlyArray<string> | null
  readonly permissions?: ReadonlyArray<string> | null
}

/** The memberships requested for a new user. */
export const membershipsOfNewUser = (
  payload: OrgsOfNewUser & { readonly user: OrgsOfNewUser },
  problems: Array<Problem>
) => {
  const { user } = payload
  const org = mergeParameter("org", user.org, payload.org, problems)
  const orgIds = mergeParameter("org_ids", user.org_ids, payload.org_ids, problems)
  const permissions = mergeParameter("permissions", user.permissions, payload.permissions, problems)
  return {
    org: org === undefined ? undefined : orgAttributesOf(org),
    orgIds: values(orgIds),
    permissions: parsePermissions(permissions ?? [])
  }
}
