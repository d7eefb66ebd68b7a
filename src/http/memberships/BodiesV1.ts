import type {
  MembershipBody,
  OrgBody,
  OrgItem,
  SessionBody,
  SessionItem,
  UserBody,
  UserItem,
  UserTokenBody
} from "#api/nested/V1"
import type { OrgWithMemberships } from "#core/orgs/Orgs"
import type { LinkedMembership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { LinkedSession, Session } from "#domain/Session"
import type { SignupToken } from "#domain/SignupToken"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import type { UserDetails } from "#domain/UserDetails"
import { maybeTimeT, requestOf, timeT } from "../WireMapping.ts"

/** Usernames are in lower case here (api-v1 section 2, decision 21). */
const lowerCase = (username: string | null) => (username === null ? null : canonical(username))

/** There is no `closed` here (decision 17). */
const stateOf = ({ state }: Org) => (state === "closed" ? "inactive" : state)

const orgMembers = (org: Org) => ({
  id: org.id,
  object: "org" as const,
  state: stateOf(org),
  name: org.name,
  realm_id: org.realmId,
  reference: org.reference,
  created_at: timeT(org.createdAt)
})

export const orgItem = (org: Org, custom: boolean): typeof OrgItem.Type =>
  custom ? { ...orgMembers(org), custom: org.custom } : orgMembers(org)

const userMembers = (user: User) => ({
  id: user.id,
  object: "user" as const,
  state: user.state,
  realm_id: user.realmId,
  user_type: user.userType,
  created_at: timeT(user.createdAt),
  last_login_at: maybeTimeT(user.lastLoginAt),
  reference: user.reference,
  username: lowerCase(user.username),
  email: user.email,
  ...(user.userType === "human"
    ? { email_verification: user.emailVerification, first_name: user.firstName, last_name: user.lastName }
    : {}),
  name: user.name
})

export const userItem = (user: User, custom: boolean): typeof UserItem.Type =>
  custom ? { ...userMembers(user), custom: user.custom } : userMembers(user)

export const membershipBody = (membership: LinkedMembership): typeof MembershipBody.Type => ({
  id: membership.id,
  object: "membership",
  org_id: membership.orgId,
  user_id: membership.userId,
  permissions: membership.permissions,
  custom: membership.custom,
  expires_at: maybeTimeT(membership.expiresAt),
  ...(membership.org === null ? {} : { org: orgItem(membership.org, true) }),
  ...(membership.user === null ? {} : { user: userItem(membership.user, true) })
})

export const orgBody = (org: Org): typeof OrgBody.Type => ({ ...orgMembers(org), custom: org.custom })

export const orgBodyWith = ({ org, memberships }: OrgWithMemberships): typeof OrgBody.Type => ({
  ...orgBody(org),
  memberships: memberships.map((membership) => membershipBody({ ...membership, org: null }))
})

/** A user read; `apiKey` as far as the caller may see it. */
export const userBody = (
  { user, credentials, membershipCount }: UserDetails,
  apiKey: string | null
): typeof UserBody.Type => ({
  ...userMembers(user),
  custom: user.custom,
  credentials: credentials.map(({ id, credentialType }) => ({
    id,
    object: "credential" as const,
    credential_type: credentialType
  })),
  membership_count: membershipCount,
  ...(user.userType === "api" ? { api_key: apiKey } : {})
})

export const userBodyWith = (
  details: UserDetails & { readonly memberships: ReadonlyArray<LinkedMembership> },
  apiKey: string | null
): typeof UserBody.Type => ({ ...userBody(details, apiKey), memberships: details.memberships.map(membershipBody) })

export const sessionItem = (session: Session): typeof SessionItem.Type => ({
  id: session.id,
  object: "session",
  user_id: session.userId,
  created_at: timeT(session.createdAt),
  expires_at: maybeTimeT(session.expiresAt),
  request: requestOf(session)
})

/** A session read, without token. */
export const sessionBody = (
  { session, user, memberships }: LinkedSession,
  expanded: boolean
): typeof SessionBody.Type => ({
  ...sessionItem(session),
  user: {
    ...userMembers(user),
    custom: user.custom,
    ...(expanded ? { memberships: memberships.map(membershipBody) } : {})
  }
})

/** A signup token, which alone knows itself. */
export const userTokenBody = (token: string, signup: SignupToken): typeof UserTokenBody.Type => ({
  id: token,
  object: "user_token",
  username: lowerCase(signup.username),
  email: signup.email,
  first_name: signup.firstName,
  last_name: signup.lastName,
  credential_type: "password"
})
