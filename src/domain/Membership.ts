import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import type { MembershipId, OrgId, RealmId, UserId } from "./Ids.ts"
import type { Org } from "./Org.ts"
import type { User } from "./User.ts"

/**
 * A user's membership in an org, with permission tags (`v2.membership`). In v1, `orgId` can be null for a membership
 * without an org.
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

/** A membership with its org and user if they were requested. */
export interface LinkedMembership extends Membership {
  readonly org: Org | null
  readonly user: User | null
}

/** The maximum number of memberships shown in an expansion or a token, for a user or an org. The oldest are shown. */
export const MAX_EXPANDED = 1_000

/** The fields of a membership that a caller may change. */
export interface MembershipAttributes {
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc | null
  readonly custom?: Custom
}

export class MembershipNotFound extends Data.TaggedError("MembershipNotFound")<{ readonly id: string }> {}

/** A user's number of memberships, and the orgs of the oldest ones. */
export interface MembershipSummary {
  readonly count: number
  readonly orgs: ReadonlyArray<Org>
}
