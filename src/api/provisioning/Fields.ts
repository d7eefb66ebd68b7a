import { Schema } from "effect"
import { orgStates } from "#domain/Org"
import { emailVerifications, userStates, userTypes } from "#domain/User"
import { CredentialElement, MAX_CREDENTIALS, passwordFields, passwordMember } from "../credentials/Fields.ts"
import { customInput, customKeywords, describe, reference } from "../Description.ts"
import { Choice, Custom, List, maybe, Text } from "../Wire.ts"

const custom = describe(maybe(Custom), customInput, customKeywords)

/** The members of an org that a caller can set (`v2.org`), including when the org is created together with a user. */
export const orgFieldsV2 = {
  state: describe(
    Schema.optionalKey(Choice(orgStates)),
    "The org's state: `active`, `inactive` (not included in tokens and expansions), or permanently `closed`. A closed org can't be changed. Default: `active`.",
    { default: "active" }
  ),
  name: describe(maybe(Text()), "The org's name. Required for a new org."),
  reference: describe(maybe(Text()), reference),
  custom
}

/** The states of an org in `/v1`, which shows closed orgs as `inactive` (C17). */
export const orgStatesV1 = ["active", "inactive"] as const

/** The members of an org that a caller can set (`v1.org`). */
export const orgFieldsV1 = {
  ...orgFieldsV2,
  state: describe(
    Schema.optionalKey(Choice(orgStatesV1)),
    "The org's state: `active`, or `inactive` (not included in tokens and expansions). Default: `active`.",
    { default: "active" }
  )
}

/** The members of an org that a caller can change, in each version. */
export const OrgInput = Schema.Struct(orgFieldsV2).annotate({ identifier: "OrgInput", problem: { code: "not_object" } })
export const OrgInputV1 = Schema.Struct(orgFieldsV1).annotate({
  identifier: "OrgInputV1",
  problem: { code: "not_object" }
})

/** The maximum length of an email as sent. Its canonical form is never longer, and is checked later. */
const EMAIL_TEXT_LENGTH = 1_016

export const EmailText = Text(EMAIL_TEXT_LENGTH)

/** The JSON Schema keywords of a canonical email. */
export const emailKeywords = { format: "email", maxLength: 254 } as const

/** The members of a user that a caller can set (`v2.user`), including when the user is created together with an org. */
export const userFieldsV2 = {
  state: describe(
    Schema.optionalKey(Choice(userStates)),
    "Whether the user can log in: `active`, or `inactive`, which ends the user's sessions. Default: `active`.",
    { default: "active" }
  ),
  email: describe(
    maybe(EmailText),
    "The email, stored in lower case. It must be unique in the realm, unless the realm allows shared emails. Required for people. Replaces the email immediately; `email_verification` does not change.",
    emailKeywords
  ),
  email_pending: describe(
    maybe(EmailText),
    "An email that will replace `email` once it is verified. A verification email is sent to it. Null cancels the change.",
    emailKeywords
  ),
  email_verification: describe(
    Schema.optionalKey(Choice(emailVerifications)),
    "Whether the email is verified: unknown (`none`), already verified by you (`verified`), or to be verified (`requested`), which sends a verification email each time. Default: `none`.",
    { default: "none" }
  ),
  first_name: describe(maybe(Text()), "The first name. Default: none."),
  last_name: describe(maybe(Text()), "The last name. Default: none."),
  locale: describe(maybe(Text()), "The preferred locale of emails and pages, such as `en`. Default: the realm's."),
  username: describe(
    maybe(Text()),
    "The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves. Ignored if people in the realm have no usernames. Under `/v1`, it is required for people and generated for API users by default. Default: none."
  ),
  reference: describe(maybe(Text()), reference),
  custom,
  ...passwordFields
}

/** The members of a new user in `/v2`. */
export const newUserFieldsV2 = {
  ...userFieldsV2,
  password: passwordMember(
    " Required, unless `credentials` is sent. To create a user without a password, set `credentials` to `[]`."
  ),
  credentials: describe(
    maybe(List(CredentialElement, MAX_CREDENTIALS)),
    "The user's credentials, at most 20 of each type, instead of `password`. An empty list creates a user without credentials, who can't log in yet. Required, unless `password` is sent.",
    { maxItems: MAX_CREDENTIALS }
  )
}

/**
 * The members of a user that a caller can set (`v1.user`). Humans have first and last names; API users have `name` and
 * `api_key`.
 */
export const userFieldsV1 = {
  state: userFieldsV2.state,
  username: userFieldsV2.username,
  email: userFieldsV2.email,
  email_verification: userFieldsV2.email_verification,
  first_name: userFieldsV2.first_name,
  last_name: userFieldsV2.last_name,
  name: describe(
    maybe(Text()),
    "The name of an API user; for people, it is derived from their first and last name. Default: the username."
  ),
  reference: userFieldsV2.reference,
  custom: userFieldsV2.custom,
  password: userFieldsV2.password,
  password_confirmation: userFieldsV2.password_confirmation,
  api_key: describe(
    maybe(Text()),
    "The oldest API key of an API user: 20 to 255 visible ASCII characters with at least 10 different ones. Deprecated: create a credential instead.",
    { minLength: 20 }
  )
}

/** The members of a new user in `/v1`. A malformed signup `token` is rejected with the same error as an unknown one. */
export const newUserFieldsV1 = {
  ...userFieldsV1,
  user_type: describe(
    maybe(Choice(userTypes)),
    "The type of user: a person (`human`) or a program (`api`). Required, unless `token` is given. Can't be changed later."
  ),
  token: describe(
    maybe(Text(1_024)),
    "A signup token; only for people. The new user gets the token's data. Data that the token doesn't contain is taken from the other members."
  ),
  credentials: newUserFieldsV2.credentials
}

/** The members of a user that a caller can change, in each version. */
export const UserInput = Schema.Struct(userFieldsV2).annotate({ identifier: "UserInput" })
export const UserInputV1 = Schema.Struct(userFieldsV1).annotate({ identifier: "UserInputV1" })
