import { Schema } from "effect"
import { credentialTypes, MOST_OF_TYPE } from "#domain/Credential"
import { Choice, maybe, Text, TimeT } from "../Wire.ts"

/** Long enough that an over-long password gets its own sentence. */
const PASSWORD_MEMBER_LENGTH = 262_144

/** Providers' tokens can be long: some hold the user's whole profile, signed. */
const ACCESS_TOKEN_LENGTH = 8_192

export const PasswordMember = Text(PASSWORD_MEMBER_LENGTH)

/** What may change of a credential (api-v1 section 2); each type has its own of these. */
export const credentialChanges = {
  password: maybe(PasswordMember),
  password_confirmation: maybe(PasswordMember),
  password_hash: maybe(Text(1_024)),
  api_key: maybe(Text()),
  name: maybe(Text()),
  provider_user_id: maybe(Text()),
  access_token: maybe(Text(ACCESS_TOKEN_LENGTH)),
  token_expires_at: maybe(TimeT)
}

/** A credential as a caller asks for it, but for whose it is to be. */
export const credentialFields = {
  credential_type: Choice(credentialTypes),
  auth_provider_id: maybe(Text()),
  ...credentialChanges
}

/** The most elements of `credentials`: as many of each type as a user may have. */
export const MOST_CREDENTIALS = credentialTypes.length * MOST_OF_TYPE

/** An element of `credentials` at the creation of a user. */
export const CredentialElement = Schema.Struct(credentialFields).annotate({ problem: { code: "not_object" } })
