import { Schema } from "effect"
import { emailVerifications, userStates } from "#domain/User"
import { Choice, Custom, maybe, Text } from "../Wire.ts"

/** The longest e-mail as typed: its canonical form, checked later, is never longer. */
const TYPED_EMAIL_LENGTH = 1_016

/** Long enough that an over-long password gets its own sentence. */
const PASSWORD_MEMBER_LENGTH = 262_144

const Password = Text(PASSWORD_MEMBER_LENGTH)

/** A credential given at user creation (decision 22). */
const NewCredential = Schema.Struct({
  credential_type: Text(),
  password: maybe(Password),
  password_confirmation: maybe(Password),
  password_hash: maybe(Text(1_024))
}).annotate({ problem: { code: "not_object" } })

/** What a caller may set of a user (api-v2 section 2). */
export const userFields = {
  state: Schema.optionalKey(Choice(userStates)),
  email: maybe(Text(TYPED_EMAIL_LENGTH)),
  email_pending: maybe(Text(TYPED_EMAIL_LENGTH)),
  email_verification: Schema.optionalKey(Choice(emailVerifications)),
  first_name: maybe(Text()),
  last_name: maybe(Text()),
  locale: maybe(Text()),
  username: maybe(Text()),
  reference: maybe(Text()),
  custom: maybe(Custom),
  password: maybe(Password),
  password_confirmation: maybe(Password)
}

/** The same for a new user. */
export const newUserFields = {
  ...userFields,
  credentials: maybe(Schema.Array(NewCredential).annotate({ problem: { code: "not_list" } }))
}
