// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Custom } from "./Custom.ts"
import type { OrgItemV1 } from "./OrgItemV1.ts"
import type { UserItemV1 } from "./UserItemV1.ts"

/** A membership, as version 1 of the API shows it. */
export interface MembershipV1 {
  /** The membership's ID, which begins with `mb_`. */
  readonly id: string
  /** The type of the object: always `membership`. */
  readonly object: "membership"
  /** The org's ID; null if the membership is for the user alone. */
  readonly org_id: string | null
  /** The user's ID. */
  readonly user_id: string
  /**
   * The permission tags. `ar:owner` marks the owner of the org, `ar:admin` who may manage its members; others mean what
   * your app says.
   */
  readonly permissions: ReadonlyArray<string>
  /** Unix time in seconds, with up to three decimals, from which the membership is gone; null if never. */
  readonly expires_at: number | null
  /** Your own attributes. */
  readonly custom: Custom
  /** The org, where the operation includes it. */
  readonly org?: OrgItemV1
  /** The user, where the operation includes it. */
  readonly user?: UserItemV1
  /** Always true, and only in the response to a creation. */
  readonly new_record?: true
}
