import { Schema } from "effect"
import { credentialTypes, MAX_CREDENTIALS_PER_TYPE } from "#domain/Credential"
import { Choice, maybe, Text, TimeT } from "../Wire.ts"

/** As long as a body may be, because the password policy refuses a long password, with a message of its own. */
const PASSWORD_MEMBER_LENGTH = 262_144

/** A provider's token can be long: some contain the user's whole profile, signed. */
const ACCESS_TOKEN_LENGTH = 8_192

export const PasswordText = Text(PASSWORD_MEMBER_LENGTH)

/** What a caller may change of a credential (`v1.credential`). Each type has some of these. */
export const credentialChanges = {
  password: maybe(PasswordText),
  password_confirmation: maybe(PasswordText),
  password_hash: maybe(Text(1_024)),
  api_key: maybe(Text()),
  name: maybe(Text()),
  provider_user_id: maybe(Text()),
  access_token: maybe(Text(ACCESS_TOKEN_LENGTH)),
  token_expires_at: maybe(TimeT)
}

/** What a caller may set of a new credential, except its user. */
export const credentialFields = {
  credential_type: Choice(credentialTypes),
  auth_provider_id: maybe(Text()),
  ...credentialChanges
}

/** The maximum length of `credentials`: for each type, as many as a user may have. */
export const MOST_CREDENTIALS = credentialTypes.length * MAX_CREDENTIALS_PER_TYPE

/** An element of the `credentials` of a new user. */
export const CredentialElement = Schema.Struct(credentialFields).annotate({ problem: { code: "not_object" } })
