import type { DateTime } from "effect"
import { Data } from "effect"
import type { OrgId, RealmId, SessionId, UserId } from "./Ids.ts"
import type { LinkedMembership } from "./Membership.ts"
import type { User } from "./User.ts"

/** A period of authenticated use by a user (`v2.session`). `expiresAt` null: an unmanaged session without end. */
export interface Session {
  readonly id: SessionId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly clientAppId: string | null
  /** The org that the tokens of the session name, which its user may have left since. Null: none. */
  readonly orgId: OrgId | null
  readonly requestIp: string | null
  readonly requestClient: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
}

/** A session with its user and memberships. */
export interface LinkedSession {
  readonly session: Session
  readonly user: User
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** A session with its token. */
export interface Login extends LinkedSession {
  readonly token: string
}

export class SessionNotFound extends Data.TaggedError("SessionNotFound")<{ readonly id: string }> {}
