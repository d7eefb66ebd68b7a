import { Schema } from "effect"
import { Presented } from "../login/Fields.ts"
import { beside, inRealm, maybe, Text } from "../Wire.ts"

/** A provider's own text, of whatever length it may be good for. */
const Opaque = maybe(Text(8_192))

/** What the URLs of providers are asked for with. Their form is the core's to check. */
export const urlQuery = {
  redirect_uri: Schema.optionalKey(Schema.String),
  nonce: Schema.optionalKey(Text(1_024)),
  ...inRealm
}

/** What came back from a provider; `iss` where it came with it (RFC 9207). */
export const codeFields = {
  code: Opaque,
  error: Opaque,
  iss: maybe(Text(2_048)),
  nonce: Presented,
  state: Presented,
  ...beside
}

/** What a provider's own SDK has got. */
export const tokenFields = { access_token: Opaque, ...beside }

/** `auth_provider_id`: id, or type other than `oauth2`. */
export const providerPath = { auth_provider_id: Schema.String }

export const urlFields = { id: Schema.String, provider_type: Schema.String }
