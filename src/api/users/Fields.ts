import { Schema } from "effect"
import { Ids, maybe, Permissions } from "../Wire.ts"

/** The memberships to create with a new user, given inside the wrapper or next to it (C7). */
export const newUserMemberships = <const Fields extends Schema.Struct.Fields>(orgFields: Fields) => ({
  org_ids: maybe(Ids),
  org: maybe(Schema.Struct(orgFields).annotate({ problem: { code: "not_object" } })),
  permissions: maybe(Permissions)
})
