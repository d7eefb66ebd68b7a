import type { DateTime } from "effect"
import { Data } from "effect"
import type { RealmId, SessionId, UserId } from "./Ids.ts"
import type { LinkedMembership } from "./Membership.ts"
import type { User } from "./User.ts"

/** A period of authenticated use by a user (api-v2 section 2). `expiresAt` null: an unmanaged one without end. */
export interface Session {
  readonly id: SessionId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly clientAppId: string | null
  readonly requestIp: string | null
  readonly requestClient: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
}

/** A session with its user and the memberships that were loaded. */
export interface LinkedSession {
  readonly session: Session
  readonly user: User
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** The same with its token. */
export interface Login extends LinkedSession {
  readonly token: string
}

export class SessionNotFound extends Data.TaggedError("SessionNotFound")<{ readonly id: string }> {}
