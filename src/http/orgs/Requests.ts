import { values } from "#api/Wire"
import type { OrgCreation } from "#core/orgs/Orgs"
import type { NewUser } from "#core/provisioning/NewUsers"
import { parsePermissions } from "#domain/Permission"
import type { Problem } from "#domain/Rejected"
import { type OrgPayload, orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { mergeParameter } from "../WireMapping.ts"

/** The users of a new org, inside the wrapper or next to it (C7): a new user, or existing users. */
interface UsersOfNewOrg<User> {
  readonly user?: User | null
  readonly user_ids?: ReadonlyArray<string> | null
  readonly permissions?: ReadonlyArray<string> | null
}

/** A new org as sent by a caller. A new user in it has the version's format. */
export type NewOrgPayload<User> = UsersOfNewOrg<User> & { readonly org: OrgPayload & UsersOfNewOrg<User> }

/** The new org in a request. `newUser` reads the user to create with it. */
export const orgCreationOf = <User>(
  payload: NewOrgPayload<User>,
  newUser: (sent: User, problems: Array<Problem>) => NewUser,
  problems: Array<Problem>
): OrgCreation => {
  const { org } = payload
  const user = mergeParameter("user", org.user, payload.user, problems)
  const userIds = mergeParameter("user_ids", org.user_ids, payload.user_ids, problems)
  const permissions = mergeParameter("permissions", org.permissions, payload.permissions, problems)
  return {
    attributes: orgAttributesOf(org),
    user: user === undefined ? undefined : newUser(user, problems),
    userIds: values(userIds),
    permissions: parsePermissions(permissions ?? [])
  }
}
