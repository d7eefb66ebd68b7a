// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { CredentialItem } from "./CredentialItem.ts"
import type { Custom } from "./Custom.ts"
import type { OrgItem } from "./OrgItem.ts"

/** A user in a list or within another resource. */
export interface UserItem {
  /** The user's ID, which begins with `usr_`. */
  readonly id: string
  /** The type of the object: always `user`. */
  readonly object: "user"
  /** Whether the user can log in: `active` or `inactive`. */
  readonly state: "active" | "inactive"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /**
   * Unix time in seconds, with up to three decimals, at which the user last logged in; null if never. Logins with an
   * API key update it at most once in 24 hours.
   */
  readonly last_login_at: number | null
  /** The email, in lower case. Null only for API users without an email. */
  readonly email: string | null
  /** The email that will replace `email` once it is verified; null if none. */
  readonly email_pending: string | null
  /**
   * Whether the email is verified: unknown (`none`), requested by email (`requested`) or `verified`. Changing `email`
   * does not reset it, but `email_verified` in tokens is true only if the current address was verified.
   */
  readonly email_verification: "none" | "requested" | "verified"
  /** The first name; null if none. */
  readonly first_name: string | null
  /** The last name; null if none. */
  readonly last_name: string | null
  /**
   * The user's display name: the first and last name or one of them, or else the username, or else the email's part
   * before the `@`.
   */
  readonly name: string
  /** The username, as typed; in lower case under `/v1`. Null if there is none, or if the realm has no usernames. */
  readonly username: string | null
  /** The preferred locale, such as `en`; null if none. */
  readonly locale: string | null
  /** Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none. */
  readonly reference: string | null
  /** Your own attributes. In lists only with `expand=custom`. */
  readonly custom?: Custom
  /** The user's credentials, without their secrets. Only in lists of users, with `expand=credentials`. */
  readonly credentials?: ReadonlyArray<CredentialItem>
  /**
   * When the account will be deleted, because the user asked for it on the hosted pages; null if it won't be. Only in
   * lists of users.
   */
  readonly deletion_at?: number | null
  /** The number of the user's memberships. Only in lists of users, with `expand=orgs`. */
  readonly membership_count?: number
  /** The orgs of the user's three oldest memberships. Only in lists of users, with `expand=orgs`. */
  readonly orgs?: ReadonlyArray<OrgItem>
}
