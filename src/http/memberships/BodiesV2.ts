import type {
  InvitationBody,
  MembershipBody,
  OrgBody,
  OrgItem,
  SessionBody,
  SessionItem,
  UserBody,
  UserItem
} from "#api/nested/V2"
import type { OrgWithMemberships } from "#core/orgs/Orgs"
import type { OpenInvitation } from "#domain/Invitation"
import type { LinkedMembership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { Login, Session } from "#domain/Session"
import type { User } from "#domain/User"
import type { UserDetails } from "#domain/UserDetails"
import { maybeTimeT, requestOf, timeT } from "../WireMapping.ts"

const orgMembers = (org: Org) => ({
  id: org.id,
  object: "org" as const,
  state: org.state,
  name: org.name,
  realm_id: org.realmId,
  reference: org.reference,
  created_at: timeT(org.createdAt)
})

const userMembers = (user: User) => ({
  id: user.id,
  object: "user" as const,
  state: user.state,
  realm_id: user.realmId,
  created_at: timeT(user.createdAt),
  last_login_at: maybeTimeT(user.lastLoginAt),
  email: user.email,
  email_pending: user.emailPending,
  email_verification: user.emailVerification,
  first_name: user.firstName,
  last_name: user.lastName,
  name: user.name,
  username: user.username,
  locale: user.locale,
  reference: user.reference
})

export const orgItem = (org: Org, custom: boolean): typeof OrgItem.Type =>
  custom ? { ...orgMembers(org), custom: org.custom } : orgMembers(org)

export const userItem = (user: User, custom: boolean): typeof UserItem.Type =>
  custom ? { ...userMembers(user), custom: user.custom } : userMembers(user)

export const membershipBody = (membership: LinkedMembership): typeof MembershipBody.Type => ({
  id: membership.id,
  object: "membership",
  org_id: membership.orgId,
  user_id: membership.userId,
  permissions: membership.permissions,
  expires_at: maybeTimeT(membership.expiresAt),
  ...(membership.org === null ? {} : { org: orgItem(membership.org, true) }),
  ...(membership.user === null ? {} : { user: userItem(membership.user, true) })
})

/** `open`: whether the caller may see the token. */
export const invitationBody = (invitation: OpenInvitation, open: boolean): typeof InvitationBody.Type => ({
  id: invitation.id,
  object: "invitation",
  invitation_type: invitation.invitationType,
  realm_id: invitation.realmId,
  created_at: timeT(invitation.createdAt),
  email: invitation.email,
  expires_at: timeT(invitation.expiresAt),
  invited_at: maybeTimeT(invitation.invitedAt),
  inviting_user_id: invitation.invitingUserId,
  org_id: invitation.orgId,
  auth_provider_id: invitation.authProviderId,
  locale: invitation.locale,
  permissions: invitation.permissions,
  token: open ? invitation.token : null,
  ...(invitation.invitationType === "org" && invitation.org !== null ? { org: orgItem(invitation.org, true) } : {})
})

export const orgBody = (org: Org): typeof OrgBody.Type => ({ ...orgMembers(org), custom: org.custom })

export const orgBodyWith = ({ org, memberships }: OrgWithMemberships): typeof OrgBody.Type => ({
  ...orgBody(org),
  memberships: memberships.map((membership) => membershipBody({ ...membership, org: null }))
})

export const userBody = ({ user, credentials, membershipCount }: UserDetails): typeof UserBody.Type => ({
  ...userMembers(user),
  custom: user.custom,
  credentials: credentials.map(({ id, credentialType }) => ({
    id,
    object: "credential" as const,
    credential_type: credentialType
  })),
  membership_count: membershipCount
})

export const userBodyWith = (
  details: UserDetails & { readonly memberships: ReadonlyArray<LinkedMembership> }
): typeof UserBody.Type => ({ ...userBody(details), memberships: details.memberships.map(membershipBody) })

export const sessionItem = (session: Session): typeof SessionItem.Type => ({
  id: session.id,
  object: "session",
  client_app_id: session.clientAppId,
  created_at: timeT(session.createdAt),
  expires_at: maybeTimeT(session.expiresAt),
  user_id: session.userId,
  request: requestOf(session)
})

export const sessionBody = (
  { session, user, memberships, token }: Login,
  expanded: boolean
): typeof SessionBody.Type => ({
  ...sessionItem(session),
  token,
  user: {
    ...userMembers(user),
    custom: user.custom,
    ...(expanded ? { memberships: memberships.map(membershipBody) } : {})
  }
})
