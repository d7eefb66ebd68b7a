// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { OrgItem } from "./OrgItem.ts"

/** An invitation. */
export interface Invitation {
  /** The invitation's ID, which begins with `nvt_`. */
  readonly id: string
  /** The type of the object: always `invitation`. */
  readonly object: "invitation"
  /**
   * The type of invitation: to join an org (`org`), to verify an email before a sign-up (`preverify`), from another
   * user (`referral`), or at the person's own request (`request`).
   */
  readonly invitation_type: "org" | "preverify" | "referral" | "request"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** The email of the invited person, in lower case. */
  readonly email: string
  /** Unix time in seconds, with up to three decimals, at which the invitation expires. */
  readonly expires_at: number
  /** Unix time in seconds, with up to three decimals, at which the invitation was last sent; null if not yet. */
  readonly invited_at: number | null
  /** The ID of the inviting user; null if there is none or the user was deleted. */
  readonly inviting_user_id: string | null
  /** The ID of the org that the person joins; null if there is none. */
  readonly org_id: string | null
  /** The ID of the auth provider whose login the email links to; null for a link to sign up or log in. */
  readonly auth_provider_id: string | null
  /**
   * The ID of the connected app whose pages the email links to; null for the realm's oldest active app, or if the app
   * was deleted.
   */
  readonly client_app_id: string | null
  /** The locale of the email. */
  readonly locale: string
  /** The permissions that the person gets in the org. */
  readonly permissions: ReadonlyArray<string>
  /** The token for accepting the invitation. Null for keys below level `write`. */
  readonly token: string | null
  /** The org. Only for the type `org`. */
  readonly org?: OrgItem
}
