// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { MembershipV1 } from "./MembershipV1.ts"

/** A session user, as version 1 of the API shows it. */
export interface SessionUserV1 {
  /** The user's ID, which begins with `usr_`. */
  readonly id: string
  /** The type of the object: always `user`. */
  readonly object: "user"
  /** Whether the user can log in: `active` or `inactive`. */
  readonly state: "active" | "inactive"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** The type of user: a person (`human`) or a program (`api`). */
  readonly user_type: "human" | "api"
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which the user last logged in; null if never. Logins with an
   * API key update it at most once in 24 hours.
   */
  readonly last_login_at: number | null
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference: string | null
  /** The username, as typed; in lower case under `/v1`. Null if there is none, or if the realm has no usernames. */
  readonly username: string | null
  /** The email, in lower case. Null only for API users without an email. */
  readonly email: string | null
  /**
   * The user's display name: the first and last name or one of them, or else the username, or else the email's part
   * before the `@`.
   */
  readonly name: string
  /**
   * Whether the email is verified: unknown (`none`), requested by email (`requested`) or `verified`. Changing `email`
   * does not reset it, but `email_verified` in tokens is true only if the current address was verified.
   */
  readonly email_verification?: "none" | "requested" | "verified"
  /** The first name; null if none. */
  readonly first_name?: string | null
  /** The last name; null if none. */
  readonly last_name?: string | null
  /** Your own attributes. */
  readonly custom: Custom
  /** The user's memberships with their orgs. Only with `expand=memberships`. */
  readonly memberships?: ReadonlyArray<MembershipV1>
}
