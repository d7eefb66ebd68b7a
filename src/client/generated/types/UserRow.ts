// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { ImportCredential } from "./ImportCredential.ts"
import type { ImportMembership } from "./ImportMembership.ts"

/** A user row. */
export interface UserRow {
  /**
   * Your own ID for the user, or the user's ID in this realm. If a user has it, that user is updated; otherwise a user
   * is created with it. Required, and unique within an import.
   */
  readonly reference?: string | null | undefined
  /** The type of user: a person (`human`) or a program (`api`). Can't be changed. Default: `human`. */
  readonly user_type?: "human" | "api" | undefined
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The email, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces the
   * email immediately; `email_verification` does not change.
   */
  readonly email?: string | null | undefined
  /**
   * Whether the email is verified: unknown (`none`), requested by email (`requested`) or `verified`. The import itself
   * sends no emails. Default: `none`.
   */
  readonly email_verification?: "none" | "requested" | "verified" | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /** The name of an API user; for people, it is derived from their first and last name. Default: the username. */
  readonly name?: string | null | undefined
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and generated for
   * API users.
   */
  readonly username?: string | null | undefined
  /** The preferred locale of emails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
  /**
   * Your own attributes. For an existing user, these are added or replaced, and all others stay; null removes all.
   * Default: none, and no change.
   */
  readonly custom?: Custom | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the user was created; only for new users.
   * Default: now.
   */
  readonly created_at?: number | string | null | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the user last logged in; only for new
   * users. Default, and null: never.
   */
  readonly last_login_at?: number | string | null | undefined
  /**
   * The user's credentials, at most 20 of each type. Missing ones are added, and none are removed; a password is
   * replaced only until its first use here. Default: none.
   */
  readonly credentials?: ReadonlyArray<ImportCredential> | null | undefined
  /**
   * The orgs that the user belongs to, up to 1,000. Memberships in the row's orgs are added or changed; those in other
   * orgs do not change. Default: none.
   */
  readonly memberships?: ReadonlyArray<ImportMembership> | null | undefined
}
