import { Schema } from "effect"
import { Custom, MaybeTime } from "../Wire.ts"

const MaybeText = Schema.NullOr(Schema.String)

const orgFields = {
  id: Schema.String,
  object: Schema.Literal("org"),
  state: Schema.String,
  name: Schema.String,
  realm_id: Schema.String,
  reference: MaybeText,
  created_at: Schema.Finite
}

/** An org in a list; `custom` only with `expand=custom`. */
export const OrgItem = Schema.Struct({ ...orgFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "OrgItem"
})

const userFields = {
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

/** A user in a list; `custom` only with `expand=custom`. */
export const UserItem = Schema.Struct({ ...userFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "UserItem"
})

/** A membership; with the org and the user that the operation includes. */
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

/** An invitation; with its org where it is an org's. `token` from level `write`, else null. */
export const InvitationBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("invitation"),
  invitation_type: Schema.String,
  realm_id: Schema.String,
  created_at: Schema.Finite,
  email: Schema.String,
  expires_at: Schema.Finite,
  invited_at: MaybeTime,
  inviting_user_id: MaybeText,
  org_id: MaybeText,
  auth_provider_id: MaybeText,
  locale: Schema.String,
  permissions: Schema.Array(Schema.String),
  token: MaybeText,
  org: Schema.optionalKey(OrgItem)
}).annotate({ identifier: "Invitation" })

/** An org read, created or changed. */
export const OrgBody = Schema.Struct({
  ...orgFields,
  custom: Custom,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "Org" })

/** A user read, created or changed. */
export const UserBody = Schema.Struct({
  ...userFields,
  custom: Custom,
  credentials: Schema.Array(
    Schema.Struct({ id: Schema.String, object: Schema.Literal("credential"), credential_type: Schema.String })
  ),
  membership_count: Schema.Finite,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "User" })

const sessionFields = {
  id: Schema.String,
  object: Schema.Literal("session"),
  client_app_id: MaybeText,
  created_at: Schema.Finite,
  expires_at: MaybeTime,
  user_id: Schema.String,
  request: Schema.NullOr(Schema.Struct({ ip: MaybeText, client: MaybeText }))
}

/** A session in a list: without token. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItem" })

/** A session with its token and its user. `token`: null below level `write` where the realm's `session_tokens` says so. */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: MaybeText,
  user: Schema.Struct({
    ...userFields,
    custom: Custom,
    memberships: Schema.optionalKey(Schema.Array(MembershipBody))
  })
}).annotate({ identifier: "Session" })
