// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { NewCredential } from "./NewCredential.ts"

/** An org user, as version 1 of the API shows it. */
export interface OrgUserV1 {
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and generated for
   * API users.
   */
  readonly username?: string | null | undefined
  /**
   * The email, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces the
   * email immediately; `email_verification` does not change.
   */
  readonly email?: string | null | undefined
  /**
   * Whether the email is verified: unknown (`none`), to be verified by an email, which is sent each time (`requested`),
   * or already verified by you (`verified`). Default: `none`.
   */
  readonly email_verification?: "none" | "requested" | "verified" | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /** The name of an API user; for people, it is derived from their first and last name. Default: the username. */
  readonly name?: string | null | undefined
  /** Your own ID for the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Replaces all existing ones, so send them all. Default, and null: none. */
  readonly custom?: Custom | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one; not a common password, and
   * without the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must match. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /**
   * The oldest API key of an API user: 20 to 255 visible ASCII characters, at least 10 of them different. Deprecated:
   * create a credential instead.
   */
  readonly api_key?: string | null | undefined
  /**
   * The type of user: a person (`human`) or a program (`api`). Required, unless `token` is given. Can't be changed
   * later.
   */
  readonly user_type?: "human" | "api" | null | undefined
  /**
   * The user's credentials, at most 20 of each type, in place of `password`. An empty list creates a user without any,
   * who can't log in yet. Required, unless `password` is sent.
   */
  readonly credentials?: ReadonlyArray<NewCredential> | null | undefined
}
