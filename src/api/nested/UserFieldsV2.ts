import { Schema } from "effect"
import { emailVerifications, userStates } from "#domain/User"
import { CredentialElement, MOST_CREDENTIALS, PasswordMember } from "../credentials/Fields.ts"
import { Choice, Custom, List, maybe, Text } from "../Wire.ts"

/** The longest e-mail as typed: its canonical form, checked later, is never longer. */
const TYPED_EMAIL_LENGTH = 1_016

export const TypedEmail = Text(TYPED_EMAIL_LENGTH)

/** What a caller may set of a user (api-v2 section 2). */
export const userFields = {
  state: Schema.optionalKey(Choice(userStates)),
  email: maybe(TypedEmail),
  email_pending: maybe(TypedEmail),
  email_verification: Schema.optionalKey(Choice(emailVerifications)),
  first_name: maybe(Text()),
  last_name: maybe(Text()),
  locale: maybe(Text()),
  username: maybe(Text()),
  reference: maybe(Text()),
  custom: maybe(Custom),
  password: maybe(PasswordMember),
  password_confirmation: maybe(PasswordMember)
}

/** The same for a new user. */
export const newUserFields = {
  ...userFields,
  credentials: maybe(List(CredentialElement, MOST_CREDENTIALS))
}

/** What a user may change of their own profile (decision 14). */
export const profileFields = {
  email: userFields.email,
  first_name: userFields.first_name,
  last_name: userFields.last_name,
  username: userFields.username,
  locale: userFields.locale,
  password: userFields.password,
  password_confirmation: userFields.password_confirmation
}
