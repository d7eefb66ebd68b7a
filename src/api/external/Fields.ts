import { Schema } from "effect"
import { maybe, realmQuery, requestAttributes, SecretText, Text } from "../Wire.ts"

/** A code, an error or a token of a provider, in the provider's own format. */
const Opaque = maybe(Text(8_192))

/** The query of authorization URLs. The core checks the form of `redirect_uri`. */
export const urlQuery = {
  redirect_uri: Schema.optionalKey(Schema.String),
  nonce: Schema.optionalKey(Text(1_024)),
  ...realmQuery
}

/** The parameters with which a provider redirected the user back; `iss` is optional (RFC 9207). */
export const codeFields = {
  code: Opaque,
  error: Opaque,
  iss: maybe(Text(2_048)),
  nonce: maybe(SecretText),
  state: maybe(SecretText),
  ...requestAttributes
}

/** The access token that a provider's own SDK received. */
export const tokenFields = { access_token: Opaque, ...requestAttributes }

/** `auth_provider_id` is an id, or a type other than `oauth2`. */
export const providerPath = { auth_provider_id: Schema.String }

export const urlFields = { id: Schema.String, provider_type: Schema.String }
