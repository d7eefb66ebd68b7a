import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import type { MembershipId, OrgId, RealmId, UserId } from "./Ids.ts"
import type { Org } from "./Org.ts"
import type { User } from "./User.ts"

/**
 * A user's membership in an org, with permission tags (`v2.membership`). `orgId` null: a membership without an org
 * (v1).
 */
export interface Membership {
  readonly id: MembershipId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly orgId: OrgId | null
  readonly permissions: ReadonlyArray<string>
  readonly custom: Custom
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
}

/** A membership with its org and user, if they were requested. */
export interface LinkedMembership extends Membership {
  readonly org: Org | null
  readonly user: User | null
}

/** The maximum number of memberships of a user or an org that an expansion or a token shows, oldest first. */
export const MAX_EXPANDED = 1_000

/** The fields of a membership that a caller may change. */
export interface MembershipAttributes {
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc | null
  readonly custom?: Custom
}

export class MembershipNotFound extends Data.TaggedError("MembershipNotFound")<{ readonly id: string }> {}
