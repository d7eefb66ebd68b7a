import { Schema } from "effect"
import { Ids, maybe, Permissions } from "../Wire.ts"

/** What may be asked for with a new user: inside the wrapper or beside it (decision 7). */
export const orgsOfNewUser = <const Fields extends Schema.Struct.Fields>(orgFields: Fields) => ({
  org_ids: maybe(Ids),
  org: maybe(Schema.Struct(orgFields).annotate({ problem: { code: "not_object" } })),
  permissions: maybe(Permissions)
})
