// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { NewCredential } from "./NewCredential.ts"

/** An org user, as version 1 of the API shows it. */
export interface OrgUserV1 {
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Under `/v1`, it is required for people and generated for API
   * users by default. Default: none.
   */
  readonly username?: string | null | undefined
  /**
   * The email, stored in lower case. It must be unique in the realm, unless the realm allows shared emails. Required
   * for people. Replaces the email immediately; `email_verification` does not change.
   */
  readonly email?: string | null | undefined
  /**
   * Whether the email is verified: unknown (`none`), already verified by you (`verified`), or to be verified
   * (`requested`), which sends a verification email each time. Default: `none`.
   */
  readonly email_verification?: "none" | "requested" | "verified" | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /** The name of an API user; for people, it is derived from their first and last name. Default: the username. */
  readonly name?: string | null | undefined
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing attributes, so send all of them. Null removes them. Default: none. */
  readonly custom?: Custom | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /**
   * The oldest API key of an API user: 20 to 255 visible ASCII characters with at least 10 different ones. Deprecated:
   * create a credential instead.
   */
  readonly api_key?: string | null | undefined
  /**
   * The type of user: a person (`human`) or a program (`api`). Required, unless `token` is given. Can't be changed
   * later.
   */
  readonly user_type?: "human" | "api" | null | undefined
  /**
   * The user's credentials, at most 20 of each type, instead of `password`. An empty list creates a user without
   * credentials, who can't log in yet. Required, unless `password` is sent.
   */
  readonly credentials?: ReadonlyArray<NewCredential> | null | undefined
}
