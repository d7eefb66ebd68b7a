// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { ImportCredential } from "./ImportCredential.ts"
import type { ImportMembership } from "./ImportMembership.ts"

/** A user row. */
export interface UserRow {
  /**
   * Your own ID of the user, or the user's ID in this realm: the user who has it is updated, and if nobody has, one is
   * created with it. Required, and only once in an import.
   */
  readonly reference?: string | null | undefined
  /** What the user is: a person (`human`) or a program (`api`). Can't be changed. Default: `human`. */
  readonly user_type?: "human" | "api" | undefined
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The e-mail, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces
   * the e-mail at once; its verification stays as it is.
   */
  readonly email?: string | null | undefined
  /**
   * Whether the e-mail belongs to the user: not known (`none`), asked by mail (`requested`), or proved (`verified`). An
   * import itself asks nobody. Default: `none`.
   */
  readonly email_verification?: "none" | "requested" | "verified" | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /** The name of an API user; people's is made of their other names. Default: the username. */
  readonly name?: string | null | undefined
  /**
   * The username, unique in the realm whatever its case. It may contain spaces; people who sign up themselves choose
   * one without. Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and
   * generated for API users.
   */
  readonly username?: string | null | undefined
  /** The preferred locale of mails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
  /**
   * Your own attributes. Of a user that is there, those named here are added or replaced, and all others stay; null
   * removes all of them. Default: none, and no change.
   */
  readonly custom?: Custom | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the user was created; only of new users.
   * Default: now.
   */
  readonly created_at?: number | string | null | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the user last logged in; only of new
   * users. Default, and null: never.
   */
  readonly last_login_at?: number | string | null | undefined
  /**
   * The user's credentials, at most 20 of each type. Those the user lacks are added, and none is removed; a password is
   * replaced only until its first use here. Default: none.
   */
  readonly credentials?: ReadonlyArray<ImportCredential> | null | undefined
  /**
   * The orgs that the user belongs to, up to 1,000. Memberships in orgs that the row names are added or changed; those
   * in other orgs stay as they are. Default: none.
   */
  readonly memberships?: ReadonlyArray<ImportMembership> | null | undefined
}
