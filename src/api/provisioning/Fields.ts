import { Schema } from "effect"
import { orgStates } from "#domain/Org"
import { emailVerifications, userStates, userTypes } from "#domain/User"
import { CredentialElement, MOST_CREDENTIALS, PasswordText } from "../credentials/Fields.ts"
import { Choice, Custom, List, maybe, Text } from "../Wire.ts"

/** What a caller may set of an org (`v2.org`): also of one that is created together with a user. */
export const orgFieldsV2 = {
  state: Schema.optionalKey(Choice(orgStates)),
  name: maybe(Text()),
  reference: maybe(Text()),
  custom: maybe(Custom)
}

/** The states of an org under `/v1`, which shows a closed org as `inactive` (C17). */
export const orgStatesV1 = ["active", "inactive"] as const

/** What a caller may set of an org (`v1.org`). */
export const orgFieldsV1 = { ...orgFieldsV2, state: Schema.optionalKey(Choice(orgStatesV1)) }

/** The maximum length of an e-mail as typed: its canonical form, which is checked later, is never longer. */
const EMAIL_TEXT_LENGTH = 1_016

export const EmailText = Text(EMAIL_TEXT_LENGTH)

/** What a caller may set of a user (`v2.user`): also of one that is created together with an org. */
export const userFieldsV2 = {
  state: Schema.optionalKey(Choice(userStates)),
  email: maybe(EmailText),
  email_pending: maybe(EmailText),
  email_verification: Schema.optionalKey(Choice(emailVerifications)),
  first_name: maybe(Text()),
  last_name: maybe(Text()),
  locale: maybe(Text()),
  username: maybe(Text()),
  reference: maybe(Text()),
  custom: maybe(Custom),
  password: maybe(PasswordText),
  password_confirmation: maybe(PasswordText)
}

/** The same for a new user. */
export const newUserFieldsV2 = {
  ...userFieldsV2,
  credentials: maybe(List(CredentialElement, MOST_CREDENTIALS))
}

/** What a caller may set of a user (`v1.user`): humans have the names, API users `name` and `api_key`. */
export const userFieldsV1 = {
  state: userFieldsV2.state,
  username: userFieldsV2.username,
  email: userFieldsV2.email,
  email_verification: userFieldsV2.email_verification,
  first_name: userFieldsV2.first_name,
  last_name: userFieldsV2.last_name,
  name: maybe(Text()),
  reference: userFieldsV2.reference,
  custom: userFieldsV2.custom,
  password: userFieldsV2.password,
  password_confirmation: userFieldsV2.password_confirmation,
  api_key: maybe(Text())
}

/** The same for a new user. A malformed signup `token` is refused like an unknown one. */
export const newUserFieldsV1 = {
  ...userFieldsV1,
  user_type: maybe(Choice(userTypes)),
  token: maybe(Text(1_024)),
  credentials: newUserFieldsV2.credentials
}
