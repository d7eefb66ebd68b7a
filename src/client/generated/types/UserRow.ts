// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { ImportCredential } from "./ImportCredential.ts"
import type { ImportMembership } from "./ImportMembership.ts"

/** A user row. */
export interface UserRow {
  /**
   * The ID that the user keeps from another service: `usr_` and up to 60 letters, digits and hyphens. New users can
   * keep IDs if the key has the level `admin_all_realms` and the realm has no users except those imported with IDs. No
   * user of any realm can have this ID already. For an existing user, it must be the user's ID. Default: a new ID.
   */
  readonly id?: string | null | undefined
  /**
   * Your own ID for the user, or the user's ID in this realm. If there is such a user, it is updated; otherwise a user
   * with this reference is created. Required, and unique within an import.
   */
  readonly reference?: string | null | undefined
  /** The type of user: a person (`human`) or a program (`api`). Can't be changed. Default: `human`. */
  readonly user_type?: "human" | "api" | undefined
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The email, stored in lower case. It must be unique in the realm, unless the realm allows shared emails. Required
   * for people. Replaces the email immediately; `email_verification` does not change.
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
   * Ignored if people in the realm have no usernames. Under `/v1`, it is required for people and generated for API
   * users by default. Default: none.
   */
  readonly username?: string | null | undefined
  /** The preferred locale of emails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
  /**
   * Your own attributes. For an existing user, these attributes are added or replaced, and all others don't change;
   * null removes all of them. Default: none for a new user, no change for an existing one.
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
   * The user's credentials, at most 20 of each type. New credentials are added, and none are removed. A password is
   * only replaced if it has not been used here yet. Default: none.
   */
  readonly credentials?: ReadonlyArray<ImportCredential> | null | undefined
  /**
   * The orgs that the user belongs to, up to 1,000. Memberships in these orgs are added or changed; memberships in
   * other orgs don't change. Default: none.
   */
  readonly memberships?: ReadonlyArray<ImportMembership> | null | undefined
}
