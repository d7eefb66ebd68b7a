import type { Schema } from "effect"
import { describe } from "../Description.ts"
import { Ids, maybe, Permissions } from "../Wire.ts"

/**
 * The memberships to create together with a new user, inside the wrapper or next to it (C7). `org` is the schema of a new org.
 */
export const newUserMemberships = <Org extends Schema.Top>(org: Org) => ({
  org_ids: describe(
    maybe(Ids),
    "The IDs of existing orgs that the user joins, up to 5,000. Can be inside the wrapper or next to it. Default: none."
  ),
  org: describe(
    maybe(org),
    "An org to create together with the user, who becomes its member. Can be inside the wrapper or next to it. Default: none."
  ),
  permissions: describe(
    maybe(Permissions),
    "The permissions of each membership that is created. Can be inside the wrapper or next to it. Default: none."
  )
})
