import type { DateTime } from "effect"
import { Data } from "effect"
import type { Custom } from "./Custom.ts"
import type { MembershipId, OrgId, RealmId, UserId } from "./Ids.ts"
import type { Org } from "./Org.ts"
import type { User } from "./User.ts"

/** What links a user to an org, with permission tags (api-v2 section 2). `orgId` null: the user's own (v1). */
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

/** A membership with what it links, as far as that was asked for. */
export interface LinkedMembership extends Membership {
  readonly org: Org | null
  readonly user: User | null
}

/** What a caller may change of a membership. */
export interface MembershipAttributes {
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: DateTime.Utc | null
  readonly custom?: Custom
}

export class MembershipNotFound extends Data.TaggedError("MembershipNotFound")<{ readonly id: string }> {}
