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

/** An org in a list, or within a membership; `custom` only with `expand=custom`, and within a membership. */
export const OrgItem = Schema.Struct({ ...orgFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "OrgItemV1"
})

/** What all users have; those named `human` only humans (api-v1 section 2, "User"). */
const userFields = {
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

/** A user in a list, or within a membership; `custom` only with `expand=custom`, and within a membership. */
export const UserItem = Schema.Struct({ ...userFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "UserItemV1"
})

/** A membership; with the org and the user that the operation includes. */
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

const readFields = {
  ...userFields,
  custom: Custom,
  credentials: Schema.Array(
    Schema.Struct({ id: Schema.String, object: Schema.Literal("credential"), credential_type: Schema.String })
  ),
  membership_count: Schema.Finite,
  api_key: Schema.optionalKey(MaybeText),
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}

/** A user read, created or changed. `api_key`, of api users: where the realm keeps it readable and the caller may use it. */
export const UserBody = Schema.Struct(readFields).annotate({ identifier: "UserV1" })

/** A user who has logged in, with the session's token or the one to be completed by a code; or one with a token to prove an e-mail. */
export const LoginBody = Schema.Struct({ ...readFields, token: Schema.String }).annotate({ identifier: "LoginV1" })

/** A user with a token to set a new password by. */
export const PasswordTokenBody = Schema.Struct({ ...readFields, password_reset_token: Schema.String }).annotate({
  identifier: "PasswordTokenV1"
})

/** An org read, created or changed. */
export const OrgBody = Schema.Struct({
  ...orgFields,
  custom: Custom,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "OrgV1" })

const sessionFields = {
  id: Schema.String,
  object: Schema.Literal("session"),
  user_id: Schema.String,
  created_at: Schema.Finite,
  expires_at: MaybeTime,
  request: Schema.NullOr(Schema.Struct({ ip: MaybeText, client: MaybeText }))
}

/** A session in a list. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItemV1" })

/** A session with its user; with a token where it was created or one was asked for, which a realm can keep from readers. */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  user: Schema.Struct({
    ...userFields,
    custom: Custom,
    memberships: Schema.optionalKey(Schema.Array(MembershipBody))
  })
}).annotate({ identifier: "SessionV1" })

/** A signup token; `id` is the token itself. */
export const UserTokenBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("user_token"),
  username: MaybeText,
  email: MaybeText,
  first_name: MaybeText,
  last_name: MaybeText,
  credential_type: Schema.Literal("password")
}).annotate({ identifier: "UserToken" })
