import type { DateTime } from "effect"
import { Data } from "effect"
import { canonicalEmail, isSameEmail } from "./Email.ts"
import type { AppId, AuthProviderId, InvitationId, OrgId, RealmId, UserId } from "./Ids.ts"
import type { Membership } from "./Membership.ts"
import type { Org } from "./Org.ts"
import { permissionsProblem } from "./Permission.ts"
import { managesTeam, mayGrant } from "./Role.ts"

/**
 * The invitation types: sent by an org's admin, sent to verify an email before signup, sent by another user, or requested
 * by the invitee.
 */
export const invitationTypes = ["org", "preverify", "referral", "request"] as const

export type InvitationType = (typeof invitationTypes)[number]

/** Invitation states. `pending` means not sent yet. */
export const invitationStates = ["pending", "invited"] as const

export type InvitationState = (typeof invitationStates)[number]

export const invitationSorts = ["id", "email"] as const

/**
 * The default lifetime of an invitation, in days. It starts at creation and restarts when the invitation is first sent
 * (`v2.limit`).
 */
export const INVITATION_DAYS = 30

/** An invitation to a realm and optionally to an org (`v2.invitation`). `email` is canonical. */
export interface Invitation {
  readonly id: InvitationId
  readonly realmId: RealmId
  readonly invitationType: InvitationType
  readonly email: string
  readonly orgId: OrgId | null
  /** The inviting user, or null if there is none or that user was deleted. */
  readonly invitingUserId: UserId | null
  /**
   * Whether the inviting user sent it on the hosted pages. It is then valid only while that user would still be allowed to
   * send it (C263).
   */
  readonly isSentByMember: boolean
  /** The provider to log in with, or null if there is none or it was deleted. */
  readonly authProviderId: AuthProviderId | null
  /**
   * The app whose host the email links to (C90). Null if none was given or it was deleted, in which case the realm's oldest
   * active app is used.
   */
  readonly appId: AppId | null
  readonly permissions: ReadonlyArray<string>
  readonly locale: string
  readonly createdAt: DateTime.Utc
  readonly invitedAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc
}

/** An invitation with its org and token. Anyone who has the token can accept the invitation. */
export interface InvitationWithToken extends Invitation {
  readonly org: Org | null
  readonly token: string | null
}

/** The fields of an invitation that a caller may change. */
export interface InvitationChanges {
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc
}

export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<{ readonly id: string }> {}

/**
 * Returns whether the person who logged in externally is the invitee, which requires a provider that has verified the
 * invited address. Anyone else must confirm before the invitation is accepted, since people follow links without reading
 * them (SEC-92).
 */
export const isInvitee = (
  { email }: Pick<Invitation, "email">,
  profile: { readonly email: string | null; readonly emailVerified: boolean }
): boolean =>
  profile.emailVerified && profile.email !== null && isSameEmail(canonicalEmail(profile.email) ?? null, email)

/** The current rights of a user who sent an invitation. */
export interface InviterRights {
  readonly isActive: boolean
  /** The user's membership in the org, or undefined if they are not a member. */
  readonly membership: Pick<Membership, "permissions"> | undefined
  /** The permissions granted by invitations from the app's pages (C125). */
  readonly appPermissions: ReadonlyArray<string>
}

/** Returns whether a user would still be allowed to send an invitation that they sent on the hosted pages (C263, SEC-245). */
export const canStillSend = (
  invitation: Pick<Invitation, "orgId" | "permissions">,
  { isActive, membership, appPermissions }: InviterRights
): boolean => {
  if (!isActive || invitation.orgId === null) return isActive
  if (membership === undefined || !managesTeam(membership)) return false
  return mayGrant(membership, invitation) || invitation.permissions.every((tag) => appPermissions.includes(tag))
}

/**
 * The effect of accepting an invitation on the org membership. `Joins` creates it, `Gains` adds permissions to an existing
 * one.
 */
export type Acceptance =
  | { readonly _tag: "NoOrg" }
  | { readonly _tag: "Joins"; readonly org: Org }
  | { readonly _tag: "Gains"; readonly membership: Membership }
  | { readonly _tag: "HasAll" }
  | { readonly _tag: "Refused"; readonly problem: string }

/** Decides the effect of accepting an invitation from its permissions, its org and the invitee's current membership. */
export const decideAcceptance = (
  granted: ReadonlyArray<string>,
  org: Org | undefined,
  current: Membership | undefined
): Acceptance => {
  if (org === undefined) return { _tag: "NoOrg" }
  if (current === undefined) return { _tag: "Joins", org }
  const permissions = [...new Set([...current.permissions, ...granted])]
  if (permissions.length === current.permissions.length) return { _tag: "HasAll" }
  const problem = permissionsProblem(permissions)
  return problem === undefined
    ? { _tag: "Gains", membership: { ...current, permissions } }
    : { _tag: "Refused", problem }
}
