import { Schema } from "effect"
import { externalTypes } from "#domain/AuthProvider"
import { describe } from "../Description.ts"
import { maybe, realmQuery, requestAttributes, SecretText, Text } from "../Wire.ts"

/** A code, error or token of a provider, in the provider's format. */
const opaque = (description: string) => describe(maybe(Text(8_192)), description)

/** The query parameters for authorization URLs. The core checks the format of `redirect_uri`. */
export const urlQuery = {
  redirect_uri: Schema.optionalKey(Schema.String),
  nonce: Schema.optionalKey(Text(1_024)),
  ...realmQuery
}

/** The parameters with which the provider redirects back. `iss` is optional (RFC 9207). */
export const codeFields = {
  code: opaque("The `code` that the provider sent. Required unless there is an `error`."),
  error: opaque("The `error` that the provider sent instead of a code. The error message contains it. Default: none."),
  iss: describe(
    maybe(Text(2_048)),
    "The `iss` that the provider sent (RFC 9207). Checked if present, and required if the issuer of an `oidc` provider announces it. Default: none."
  ),
  nonce: describe(
    maybe(SecretText),
    "The `nonce` that the URL was requested with. Required if the URL was requested with one."
  ),
  state: describe(
    maybe(SecretText),
    "The `state` that the provider sent, valid for 30 minutes and one login. Required."
  ),
  user: opaque(
    "The `user` that Apple sent with the first login: JSON with the person's name, which Apple doesn't send again. Default: none."
  ),
  ...requestAttributes
}

/** The access token that an app got from the provider's SDK. */
export const tokenFields = {
  access_token: opaque("The access token that the provider's own SDK received. Required."),
  ...requestAttributes
}

/** `auth_provider_id` is an ID, or a type other than `oauth2` and `oidc`. */
export const providerPath = { auth_provider_id: Schema.String }

export const urlFields = {
  id: describe(Schema.String, "The auth provider's ID, which begins with `ap_`."),
  provider_type: describe(Schema.String, "The provider's type.", { enum: externalTypes })
}

/** The URL at which users log in to a provider. */
export const loginUrl = describe(Schema.String, "The URL to send the user to, valid for 30 minutes and one login.", {
  format: "uri"
})
