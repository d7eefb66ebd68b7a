import { Schema } from "effect"
import { Custom, MaybeText, MaybeTime, Text } from "../Wire.ts"
import { memberships } from "./Endpoints.ts"
import { membershipFields } from "./Fields.ts"

/** What every org shows. */
export const orgItemFields = {
  id: Schema.String,
  object: Schema.Literal("org"),
  state: Schema.String,
  name: Schema.String,
  realm_id: Schema.String,
  reference: MaybeText,
  created_at: Schema.Finite
}

/** An org in a list or inside a membership. `custom` only with `expand=custom`. */
export const OrgItem = Schema.Struct({ ...orgItemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "OrgItem"
})

/** What every user shows. */
export const userItemFields = {
  id: Schema.String,
  object: Schema.Literal("user"),
  state: Schema.String,
  realm_id: Schema.String,
  created_at: Schema.Finite,
  last_login_at: MaybeTime,
  email: MaybeText,
  email_pending: MaybeText,
  email_verification: Schema.String,
  first_name: MaybeText,
  last_name: MaybeText,
  name: Schema.String,
  username: MaybeText,
  locale: MaybeText,
  reference: MaybeText
}

/** A user in a list or inside a membership. `custom` only with `expand=custom`. */
export const UserItem = Schema.Struct({ ...userItemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "UserItem"
})

/** A membership, with the org and the user if the operation includes them. */
export const MembershipBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("membership"),
  org_id: MaybeText,
  user_id: Schema.String,
  permissions: Schema.Array(Schema.String),
  expires_at: MaybeTime,
  org: Schema.optionalKey(OrgItem),
  user: Schema.optionalKey(UserItem),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "Membership" })

/** Memberships of `/v2`. Each links a user to an org. */
export class MembershipsV2 extends memberships("v2", {
  body: MembershipBody,
  creation: Schema.Struct({ org_id: Text(), user_id: Text(), ...membershipFields }),
  change: Schema.Struct(membershipFields)
}) {}
