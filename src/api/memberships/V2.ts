import { Schema } from "effect"
import { describe } from "../Description.ts"
import { MaybeTime, Text } from "../Wire.ts"
import { memberships } from "./Endpoints.ts"
import { membershipFields } from "./Fields.ts"
import {
  credentialsIfRequested,
  customIfRequested,
  included,
  memberCountIfRequested,
  membership,
  membershipCountIfRequested,
  newRecord,
  org,
  user
} from "./Members.ts"

/** An org in a list or inside a membership. `custom` and `membership_count` are only included on request. */
export const OrgItem = Schema.Struct({
  ...org,
  custom: customIfRequested,
  membership_count: memberCountIfRequested
}).annotate({
  identifier: "OrgItem"
})

/** The members that every user has. */
export const userItemFields = {
  id: user.id,
  object: user.object,
  state: user.state,
  realm_id: user.realm_id,
  created_at: user.created_at,
  last_login_at: user.last_login_at,
  email: user.email,
  email_pending: user.email_pending,
  email_verification: user.email_verification,
  first_name: user.first_name,
  last_name: user.last_name,
  name: user.name,
  username: user.username,
  locale: user.locale,
  reference: user.reference
}

/** A user in a list or inside a membership. All but the common members are only included on request. */
export const UserItem = Schema.Struct({
  ...userItemFields,
  custom: customIfRequested,
  credentials: credentialsIfRequested,
  deletion_at: describe(
    Schema.optionalKey(MaybeTime),
    "When the account will be deleted, because the user asked for it on the hosted pages; null if it won't be. Only in lists of users."
  ),
  membership_count: membershipCountIfRequested,
  orgs: describe(
    Schema.optionalKey(Schema.Array(OrgItem)),
    "The orgs of the user's three oldest memberships. Only in lists of users, with `expand=orgs`."
  )
}).annotate({
  identifier: "UserItem"
})

/** A membership, with its org and user if the operation includes them. */
export const MembershipBody = Schema.Struct({
  ...membership,
  org: describe(Schema.optionalKey(OrgItem), included.org),
  user: describe(Schema.optionalKey(UserItem), included.user),
  new_record: newRecord
}).annotate({ identifier: "Membership" })

/** Memberships of `/v2`. Each links a user to an org. */
export class MembershipsV2 extends memberships("v2", {
  body: MembershipBody,
  creation: Schema.Struct({
    org_id: describe(Text(), "The org's ID. Can't be changed later."),
    user_id: describe(Text(), "The user's ID. Can't be changed later; a user can have one membership in each org."),
    ...membershipFields
  }),
  change: Schema.Struct(membershipFields)
}) {}
