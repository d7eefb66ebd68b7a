import { Data } from "effect"
import type { LinkedMembership } from "./Membership.ts"
import type { Org } from "./Org.ts"
import type { RealmSettings } from "./Realm.ts"

/** An org as seen by one of its members. */
export interface Team {
  readonly org: Org
  /** The membership of the user who is viewing the team. */
  readonly own: LinkedMembership
}

/** Returns whether a realm has the page for viewing and managing teams (C210). */
export const hasTeams = ({ roles, orgMode }: Pick<RealmSettings, "roles" | "orgMode">): boolean =>
  roles.length > 0 && orgMode === "multi_user"

/**
 * The reason a team operation was rejected. `no_team`: the user is not in the team. `not_allowed`: the user may not do
 * this. `not_granted`: the user may not assign the role. `member_gone`, `invitation_gone`: it no longer exists. `changed`:
 * the member's role has changed in the meantime. `last_owner`: the org would be left without an owner.
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

/** Returns whether a member can become the owner of an org. They must be active, and their membership must not expire. */
export const canBecomeOwner = ({ user, expiresAt }: Pick<LinkedMembership, "user" | "expiresAt">): boolean =>
  user?.state === "active" && expiresAt === null
