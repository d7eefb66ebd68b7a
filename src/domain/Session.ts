import type { DateTime } from "effect"
import { Data } from "effect"
import type { Authentication } from "./Authentication.ts"
import type { OrgId, RealmId, SessionId, UserId } from "./Ids.ts"
import type { LinkedMembership } from "./Membership.ts"
import type { User } from "./User.ts"

/** The reasons for ending sessions before they expire, with their descriptions (C87). */
export const sessionEnds = {
  deleted: "deleted through the API",
  logged_out: "ended by its user in hosted login",
  logged_in_again: "replaced because its user logged in again in the same browser",
  password_changed: "ended because the password was changed",
  password_reset: "ended because the password was reset with a token",
  email_verified: "ended because the user's email was verified for the first time",
  user_inactive: "ended because its user was deactivated",
  user_deleted: "ended because its user was deleted",
  invitation_login: "ended immediately because the login was only for accepting an invitation"
} as const

export type SessionEnd = keyof typeof sessionEnds

/** A period of authenticated use by a user (`v2.session`). `expiresAt` is null for an unmanaged session that never expires. */
export interface Session {
  readonly id: SessionId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly appId: string | null
  /** The org named in the session's tokens, or null. The user may have left it since. */
  readonly orgId: OrgId | null
  readonly requestIp: string | null
  readonly requestClient: string | null
  /** How the user logged in, or null if an API caller created the session. */
  readonly authentication: Authentication | null
  /** When the service last checked the session, to the minute. Null if it hasn't since the session was created. */
  readonly lastSeenAt: DateTime.Utc | null
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
