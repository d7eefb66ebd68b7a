import { Data } from "effect"
import type { LinkedMembership } from "./Membership.ts"
import type { Org } from "./Org.ts"
import type { RealmSettings } from "./Realm.ts"

/** An org, as one of its members sees it. */
export interface Team {
  readonly org: Org
  /** The membership of the user who is viewing the team. */
  readonly own: LinkedMembership
}

/** Whether a realm has the page where members see and manage their teams (C210). */
export const hasTeams = ({ roles, orgMode }: Pick<RealmSettings, "roles" | "orgMode">): boolean =>
  roles.length > 0 && orgMode === "multi_user"

/**
 * Why a team operation was rejected: the user is not in the team, or is not allowed to do it; they cannot grant the role; the
 * member or the invitation no longer exists; the member's role has changed in the meantime; or the org would have no owner.
 */
export type TeamRefusal =
  | "no_team"
  | "not_allowed"
  | "not_granted"
  | "member_gone"
  | "invitation_gone"
  | "changed"
  | "last_owner"

export class TeamRefused extends Data.TaggedError("TeamRefused")<{ readonly why: TeamRefusal }> {}

/** Whether an org can be handed over to a member: an active user whose membership does not expire. */
export const canBecomeOwner = ({ user, expiresAt }: Pick<LinkedMembership, "user" | "expiresAt">): boolean =>
  user?.state === "active" && expiresAt === null
