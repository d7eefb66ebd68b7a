import { Schema } from "effect"
import { credentialTypes, MAX_CREDENTIALS_PER_TYPE, portableTypes } from "#domain/Credential"
import { hashFormats } from "#domain/HashFormats"
import { describe } from "../Description.ts"
import { Choice, maybe, Text, TimeT } from "../Wire.ts"

/**
 * Equal to the maximum body size, so that passwords that are too long are rejected by the password policy, with its own
 * message.
 */
const PASSWORD_MEMBER_LENGTH = 262_144

/** Provider tokens can be long: some contain the user's entire profile, signed. */
const ACCESS_TOKEN_LENGTH = 8_192

export const PasswordText = Text(PASSWORD_MEMBER_LENGTH)

const passwordKeywords = { minLength: 8, maxLength: 512 } as const

/** The user's current password. */
export const currentPassword = (description: string) => describe(maybe(PasswordText), description, { maxLength: 512 })

/** A new password. `more` adds sentences to the description and begins with a space. */
export const passwordMember = (more = "") =>
  describe(
    maybe(PasswordText),
    `The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or contain the names of the user or the realm.${more}`,
    passwordKeywords
  )

/** A new password and its confirmation. */
export const passwordFields = {
  password: passwordMember(),
  password_confirmation: describe(
    maybe(PasswordText),
    "The new password again, which must match. Default: no confirmation.",
    { maxLength: 512 }
  )
}

/** The members of a credential that a caller can change (`v1.credential`). Some apply only to certain types. */
export const credentialChanges = {
  ...passwordFields,
  password_hash: describe(
    maybe(Text(1_024)),
    `A password's hash from another system, instead of \`password\`. Accepted: ${hashFormats}, as PHC strings or in these systems' own formats. At the next login, the service replaces it with its own hash.`
  ),
  api_key: describe(
    maybe(Text()),
    "For an API key: 20 to 255 visible ASCII characters with at least 10 different ones, or `generate` to generate a key. Default: a key is generated; in an update, unchanged.",
    { default: "generate" }
  ),
  name: describe(
    maybe(Text()),
    "For an authenticator app or a passkey: the user's name for it. Required for a new authenticator app."
  ),
  provider_user_id: describe(
    maybe(Text()),
    "For a profile at a provider: the user's ID there. Required for a new one."
  ),
  access_token: describe(
    maybe(Text(ACCESS_TOKEN_LENGTH)),
    "For a profile at a provider: an access token. It is stored for your use; the service doesn't use it. Default: none."
  ),
  token_expires_at: describe(
    maybe(TimeT),
    "For a profile at a provider: Unix time in seconds at which the access token expires. Default: none."
  )
}

const credentialType = <const Types extends ReadonlyArray<string>>(types: Types, more = "") =>
  describe(
    Choice(types),
    `The type of the credential: \`password\`, \`totp\` (authenticator app), \`api_key\` (for API users only),${more} or the type of the provider that the user's profile belongs to.`
  )

const attributes = {
  auth_provider_id: describe(
    maybe(Text()),
    "For an authenticator app or a profile at a provider: the auth provider's ID. Default: the realm's only provider of that type; required if there are several of type `oauth2`."
  ),
  ...credentialChanges
}

/** The members of a new credential that a caller can set, except for its user. */
export const credentialFields = {
  credential_type: credentialType(
    credentialTypes,
    " `passkey`, `recovery_codes` (ten one-time codes to use instead of an authenticator app; they replace the user's previous codes),"
  ),
  ...attributes
}

/** The maximum length of `credentials`: the maximum number per type, for all types together. */
export const MAX_CREDENTIALS = portableTypes.length * MAX_CREDENTIALS_PER_TYPE

/** An element of a new user's `credentials`. */
export const CredentialElement = Schema.Struct({
  credential_type: credentialType(portableTypes),
  ...attributes
}).annotate({
  problem: { code: "not_object" },
  identifier: "NewCredential"
})
