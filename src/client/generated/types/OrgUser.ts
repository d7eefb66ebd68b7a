// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { NewCredential } from "./NewCredential.ts"

/** An org user. */
export interface OrgUser {
  /** Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The e-mail, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces
   * the e-mail at once; its verification stays as it is.
   */
  readonly email?: string | null | undefined
  /** An e-mail to replace `email` once it is verified, for which a mail is sent to it. Null cancels the change. */
  readonly email_pending?: string | null | undefined
  /**
   * Whether the e-mail belongs to the user: not known (`none`), to be asked by mail, also again (`requested`), or
   * proved in your own way (`verified`). Default: `none`.
   */
  readonly email_verification?: "none" | "requested" | "verified" | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /** The preferred locale of mails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
  /**
   * The username, unique in the realm whatever its case. It may contain spaces; people who sign up themselves choose
   * one without. Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and
   * generated for API users.
   */
  readonly username?: string | null | undefined
  /** Your own ID of the resource, by which lists can be filtered. Need not be unique; null if none. */
  readonly reference?: string | null | undefined
  /** Your own attributes. Send all of them: those left out are removed. Default, and null: none. */
  readonly custom?: Custom | undefined
  /**
   * The new password: 8 to 512 characters, or more than 8 where the realm says so; not a common one, and without the
   * names of the user and the realm. Required, unless `credentials` is sent: `[]` there creates a user without a
   * password.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must be the same. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /**
   * The user's credentials, at most 20 of each type, in place of `password`. An empty list creates a user without any,
   * who can't log in yet. Required, unless `password` is sent.
   */
  readonly credentials?: ReadonlyArray<NewCredential> | null | undefined
}
