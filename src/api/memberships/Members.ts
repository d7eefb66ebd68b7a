import { Schema } from "effect"
import { orgStates } from "#domain/Org"
import { emailVerifications, userStates, userTypes } from "#domain/User"
import { createdAt, customKeywords, describe, objectType, reference } from "../Description.ts"
import { Custom, MaybeText, MaybeTime } from "../Wire.ts"

/** Custom attributes, in responses that always include them. */
export const custom = describe(Custom, "Your own attributes.", customKeywords)
export const customIfRequested = describe(
  Schema.optionalKey(Custom),
  "Your own attributes. In lists only with `expand=custom`.",
  customKeywords
)

/** The realm that a resource belongs to. */
export const realmId = describe(Schema.String, "The ID of the realm that the resource belongs to.")

/** The `new_record` member, which is only in the response to a creation. */
export const newRecord = describe(
  Schema.optionalKey(Schema.Literal(true)),
  "Always true. Only in the response to a creation."
)

/** The members of an org in both versions. */
export const org = {
  id: describe(Schema.String, "The org's ID, which begins with `org_`."),
  object: objectType("org"),
  state: describe(
    Schema.String,
    "The org's state: `active`, `inactive` (not included in tokens and expansions), or permanently `closed` (`inactive` under `/v1`).",
    { enum: orgStates }
  ),
  name: describe(Schema.String, "The org's name."),
  realm_id: realmId,
  reference: describe(MaybeText, reference),
  created_at: createdAt
}

/** The members of a user that either version can include. */
export const user = {
  id: describe(Schema.String, "The user's ID, which begins with `usr_`."),
  object: objectType("user"),
  state: describe(Schema.String, "Whether the user can log in: `active` or `inactive`.", { enum: userStates }),
  realm_id: realmId,
  user_type: describe(Schema.String, "The type of user: a person (`human`) or a program (`api`).", { enum: userTypes }),
  created_at: createdAt,
  last_login_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the user last logged in; null if never. Logins with an API key update it at most once in 24 hours."
  ),
  email: describe(MaybeText, "The email, in lower case. Null only for API users without an email."),
  email_pending: describe(MaybeText, "The email that will replace `email` once it is verified; null if none."),
  email_verification: describe(
    Schema.String,
    "Whether the email is verified: unknown (`none`), requested by email (`requested`) or `verified`. Changing `email` does not reset it, but `email_verified` in tokens is true only if the current address was verified.",
    { enum: emailVerifications }
  ),
  first_name: describe(MaybeText, "The first name; null if none."),
  last_name: describe(MaybeText, "The last name; null if none."),
  name: describe(
    Schema.String,
    "The user's display name: the first and last name or one of them, or else the username, or else the email's part before the `@`."
  ),
  username: describe(
    MaybeText,
    "The username, as typed; in lower case under `/v1`. Null if there is none, or if the realm has no usernames."
  ),
  locale: describe(MaybeText, "The preferred locale, such as `en`; null if none."),
  reference: describe(MaybeText, reference)
}

/** The members of a membership in both versions. */
export const membership = {
  id: describe(Schema.String, "The membership's ID, which begins with `mb_`."),
  object: objectType("membership"),
  org_id: describe(MaybeText, "The org's ID; null for a membership without an org."),
  user_id: describe(Schema.String, "The user's ID."),
  permissions: describe(
    Schema.Array(Schema.String),
    "The permission tags. `ar:owner` marks the org's owner, and `ar:admin` marks members who can manage the org's members. Your app defines the meaning of all other tags."
  ),
  expires_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the membership expires; null if never."
  )
}

/** The descriptions of the related resources that a membership can include. */
export const included = {
  org: "The org, if the operation includes it.",
  user: "The user, if the operation includes it.",
  memberships:
    "The user's memberships with their orgs, with `expand=memberships`. For a new user, the memberships just created."
} as const

/** A credential in a user's `credentials`. */
export const CredentialItem = Schema.Struct({
  id: describe(Schema.String, "The credential's ID, which begins with `crd_`."),
  object: objectType("credential"),
  credential_type: describe(
    Schema.String,
    "The type of the credential: `password`, `totp` (authenticator app), `api_key`, or the type of the provider where the user logs in."
  )
}).annotate({ identifier: "CredentialItem" })

/** The credentials of a listed user, if requested by `expand`. */
export const credentialsIfRequested = describe(
  Schema.optionalKey(Schema.Array(CredentialItem)),
  "The user's credentials, without their secrets. Only in lists of users, with `expand=credentials`."
)

/** The number of a listed user's memberships, if requested by `expand`. */
export const membershipCountIfRequested = describe(
  Schema.optionalKey(Schema.Finite),
  "The number of the user's memberships. Only in lists of users, with `expand=orgs`.",
  { type: "integer", minimum: 0 }
)

/** The number of a listed org's memberships, if requested by `expand`. */
export const memberCountIfRequested = describe(
  Schema.optionalKey(Schema.Finite),
  "The number of the org's memberships. At most 10,000 are counted: 10000 means 10,000 or more. Only in lists of orgs, with `expand=membership_count`.",
  { type: "integer", minimum: 0 }
)
