import { Schema } from "effect"
import { customInput, customKeywords, describe } from "../Description.ts"
import { Custom, maybe, Text } from "../Wire.ts"
import { memberships } from "./Endpoints.ts"
import { membershipFields } from "./Fields.ts"
import {
  credentialsIfRequested,
  custom,
  customIfRequested,
  included,
  membership,
  newRecord,
  org,
  user
} from "./Members.ts"

/** An org in a list or inside a membership. In lists, `custom` requires `expand=custom`. */
export const OrgItem = Schema.Struct({ ...org, custom: customIfRequested }).annotate({
  identifier: "OrgItemV1"
})

/** The members that every user has. First name, last name and `email_verification` are only set for humans (`v1.user`). */
export const userItemFields = {
  id: user.id,
  object: user.object,
  state: user.state,
  realm_id: user.realm_id,
  user_type: user.user_type,
  created_at: user.created_at,
  last_login_at: user.last_login_at,
  reference: user.reference,
  username: user.username,
  email: user.email,
  name: user.name,
  email_verification: Schema.optionalKey(user.email_verification),
  first_name: Schema.optionalKey(user.first_name),
  last_name: Schema.optionalKey(user.last_name)
}

/** A user in a list or inside a membership. In lists, `custom` and `credentials` are only included on request. */
export const UserItem = Schema.Struct({
  ...userItemFields,
  custom: customIfRequested,
  credentials: credentialsIfRequested
}).annotate({
  identifier: "UserItemV1"
})

/** A membership, with its org and user if the operation includes them. */
export const MembershipBody = Schema.Struct({
  ...membership,
  custom,
  org: describe(Schema.optionalKey(OrgItem), included.org),
  user: describe(Schema.optionalKey(UserItem), included.user),
  new_record: newRecord
}).annotate({ identifier: "MembershipV1" })

const fields = { ...membershipFields, custom: describe(maybe(Custom), customInput, customKeywords) }

/** The members of a membership that a caller can change. `/v1` includes its `custom` attributes (`v1.membership`). */
export const MembershipChange = Schema.Struct(fields)

/** Memberships of `/v1`. A membership without `org_id` belongs to no org (`v1.membership`). */
export class MembershipsV1 extends memberships("v1", {
  body: MembershipBody,
  creation: Schema.Struct({
    user_id: describe(Text(), "The user's ID. Can't be changed later."),
    org_id: describe(
      maybe(Text()),
      "The org's ID. Default: none, for a membership without an org, of which a user can have one. Can't be changed later."
    ),
    ...fields
  }),
  change: MembershipChange
}) {}
