import type { MembershipBody, OrgItem, UserItem } from "#api/memberships/V1"
import type { LinkedMembership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import { timeT, timeTOrNull } from "../WireMapping.ts"

/** Returns a username in lower case, as shown in `/v1` (`v1.user.lower-case`, C21). */
export const lowerCaseUsername = (username: string | null) => (username === null ? null : canonical(username))

/** `/v1` has no state `closed` (C17). */
const stateOf = ({ state }: Org) => (state === "closed" ? "inactive" : state)

/** The members of an org in every response. */
export const orgMembers = (org: Org) => ({
  id: org.id,
  object: "org" as const,
  state: stateOf(org),
  name: org.name,
  realm_id: org.realmId,
  reference: org.reference,
  created_at: timeT(org.createdAt)
})

/** An org in a list or inside another resource. `custom`: whether to include its custom attributes. */
export const orgItem = (org: Org, custom: boolean): typeof OrgItem.Type =>
  custom ? { ...orgMembers(org), custom: org.custom } : orgMembers(org)

/** The members of a user in every response. */
export const userMembers = (user: User) => ({
  id: user.id,
  object: "user" as const,
  state: user.state,
  realm_id: user.realmId,
  user_type: user.userType,
  created_at: timeT(user.createdAt),
  last_login_at: timeTOrNull(user.lastLoginAt),
  reference: user.reference,
  username: lowerCaseUsername(user.username),
  email: user.email,
  ...(user.userType === "human"
    ? { email_verification: user.emailVerification, first_name: user.firstName, last_name: user.lastName }
    : {}),
  name: user.name
})

/** A user in a list or inside a membership. `custom`: whether to include their custom attributes. */
export const userItem = (user: User, custom: boolean): typeof UserItem.Type =>
  custom ? { ...userMembers(user), custom: user.custom } : userMembers(user)

/** A membership, with its org and user if the operation includes them. */
export const membershipBody = (membership: LinkedMembership): typeof MembershipBody.Type => ({
  id: membership.id,
  object: "membership",
  org_id: membership.orgId,
  user_id: membership.userId,
  permissions: membership.permissions,
  custom: membership.custom,
  expires_at: timeTOrNull(membership.expiresAt),
  ...(membership.org === null ? {} : { org: orgItem(membership.org, true) }),
  ...(membership.user === null ? {} : { user: userItem(membership.user, true) })
})
