import type { DateTime } from "effect"
import { Data } from "effect"
import type { AuthProviderId, InvitationId, OrgId, RealmId, UserId } from "./Ids.ts"
import type { Membership } from "./Membership.ts"
import type { Org } from "./Org.ts"
import { permissionsProblem } from "./Permission.ts"
import { canonical } from "./Text.ts"

/** Why somebody is invited: by an org's admin, to prove an e-mail before signing up, by another user, at their own wish. */
export const invitationTypes = ["org", "preverify", "referral", "request"] as const

export type InvitationType = (typeof invitationTypes)[number]

/** `pending`: not sent yet. */
export const invitationStates = ["pending", "invited"] as const

export type InvitationState = (typeof invitationStates)[number]

export const invitationSorts = ["id", "email"] as const

/** For how many days an invitation is good unless told: from its creation, and from its first sending (api-v2 section 8). */
export const INVITATION_DAYS = 30

/** What lets somebody in: to the realm, and to an org where it names one (api-v2 section 2). `email` is canonical. */
export interface Invitation {
  readonly id: InvitationId
  readonly realmId: RealmId
  readonly invitationType: InvitationType
  readonly email: string
  readonly orgId: OrgId | null
  /** Null too when whoever invited is gone. */
  readonly invitingUserId: UserId | null
  /** Null too when the provider is gone. */
  readonly authProviderId: AuthProviderId | null
  readonly permissions: ReadonlyArray<string>
  readonly locale: string
  readonly createdAt: DateTime.Utc
  readonly invitedAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc
}

/** An invitation with its org, and with the token that accepts it: whoever holds that is let in. */
export interface OpenInvitation extends Invitation {
  readonly org: Org | null
  readonly token: string | null
}

/** What a caller may change of an invitation: for anything else it is replaced. */
export interface InvitationChanges {
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc
}

export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<{ readonly id: string }> {}

/**
 * Whether somebody who has logged in elsewhere is the one who was invited: has proved to have that address. Anybody else is
 * asked before the invitation is accepted, since links are followed without being read (SEC-92).
 */
export const isInvited = (
  { email }: Pick<Invitation, "email">,
  profile: { readonly email: string | null; readonly emailVerified: boolean }
): boolean => profile.emailVerified && profile.email !== null && canonical(profile.email) === canonical(email)

/** What an acceptance does about the org: `Joins` it, or `Gains` permissions in the membership that is there. */
export type Acceptance =
  | { readonly _tag: "NoOrg" }
  | { readonly _tag: "Joins"; readonly org: Org }
  | { readonly _tag: "Gains"; readonly membership: Membership }
  | { readonly _tag: "HasAll" }
  | { readonly _tag: "Refused"; readonly problem: string }

/** What comes of accepting: of what the invitation grants, its org, and the live membership there already. */
export const decideAcceptance = (
  granted: ReadonlyArray<string>,
  org: Org | undefined,
  held: Membership | undefined
): Acceptance => {
  if (org === undefined) return { _tag: "NoOrg" }
  if (held === undefined) return { _tag: "Joins", org }
  const permissions = [...new Set([...held.permissions, ...granted])]
  if (permissions.length === held.permissions.length) return { _tag: "HasAll" }
  const problem = permissionsProblem(permissions)
  return problem === undefined ? { _tag: "Gains", membership: { ...held, permissions } } : { _tag: "Refused", problem }
}
