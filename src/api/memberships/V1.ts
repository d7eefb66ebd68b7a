import { Schema } from "effect"
import { Custom, MaybeText, MaybeTime, maybe, Text } from "../Wire.ts"
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

/** An org in a list or inside a membership. Lists have `custom` only with `expand=custom`. */
export const OrgItem = Schema.Struct({ ...orgItemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "OrgItemV1"
})

/** What every user shows. Only humans have a first and last name and an `email_verification` (`v1.user`). */
export const userItemFields = {
  id: Schema.String,
  object: Schema.Literal("user"),
  state: Schema.String,
  realm_id: Schema.String,
  user_type: Schema.String,
  created_at: Schema.Finite,
  last_login_at: MaybeTime,
  reference: MaybeText,
  username: MaybeText,
  email: MaybeText,
  name: Schema.String,
  email_verification: Schema.optionalKey(Schema.String),
  first_name: Schema.optionalKey(MaybeText),
  last_name: Schema.optionalKey(MaybeText)
}

/** A user in a list or inside a membership. Lists have `custom` only with `expand=custom`. */
export const UserItem = Schema.Struct({ ...userItemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "UserItemV1"
})

/** A membership, with the org and the user if the operation includes them. */
export const MembershipBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("membership"),
  org_id: MaybeText,
  user_id: Schema.String,
  permissions: Schema.Array(Schema.String),
  custom: Custom,
  expires_at: MaybeTime,
  org: Schema.optionalKey(OrgItem),
  user: Schema.optionalKey(UserItem),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "MembershipV1" })

const fields = { ...membershipFields, custom: maybe(Custom) }

/** What a caller may change of a membership: under `/v1` also its `custom` attributes (`v1.membership`). */
export const MembershipChange = Schema.Struct(fields)

/** Memberships of `/v1`. A membership without `org_id` belongs to the user alone (`v1.membership`). */
export class MembershipsV1 extends memberships("v1", {
  body: MembershipBody,
  creation: Schema.Struct({ user_id: Text(), org_id: maybe(Text()), ...fields }),
  change: MembershipChange
}) {}
