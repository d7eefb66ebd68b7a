import { Schema } from "effect"
import { registrationKinds } from "#domain/clients/ClientRegistration"
import { consentModes, grantTypes, idTokenClaimModes, tokenEndpointAuthMethods } from "#domain/clients/OAuthClient"
import { describe } from "../Description.ts"
import { MaybeText } from "../Wire.ts"
import { oauthTexts } from "./OAuthTexts.ts"

const MaybeFlag = Schema.NullOr(Schema.Boolean)
const MaybeNumber = Schema.NullOr(Schema.Finite)
const list = Schema.Array(Schema.String)

const orNull = (description: string) => `${description} Null for \`standard\` apps.`
const orNone = (description: string) => `${description} Empty for \`standard\` apps.`

/** The members of a complete OAuth client. */
export const oauthMembers = {
  post_logout_redirect_uris: describe(list, orNone(oauthTexts.post_logout_redirect_uris)),
  backchannel_logout_uri: describe(MaybeText, `${oauthTexts.backchannel_logout_uri} Null if none.`),
  client_uri: describe(MaybeText, `${oauthTexts.client_uri} Null if none.`),
  initiate_login_uri: describe(MaybeText, `${oauthTexts.initiate_login_uri} Null if none.`),
  grant_types: describe(Schema.Array(Schema.Literals(grantTypes)), orNone(oauthTexts.grant_types)),
  token_endpoint_auth_method: describe(
    Schema.NullOr(Schema.Literals(tokenEndpointAuthMethods)),
    orNull(oauthTexts.token_endpoint_auth_method)
  ),
  jwks: describe(
    Schema.NullOr(
      Schema.Struct({
        keys: describe(Schema.Array(Schema.Record(Schema.String, Schema.String)), "The keys, as JSON Web Keys.")
      })
    ),
    `${oauthTexts.jwks} Null if none.`
  ),
  jwks_uri: describe(MaybeText, `${oauthTexts.jwks_uri} Null if none.`),
  allowed_scopes: describe(list, orNone(oauthTexts.allowed_scopes)),
  resources: describe(list, orNone(oauthTexts.resources)),
  consent: describe(Schema.NullOr(Schema.Literals(consentModes)), orNull(oauthTexts.consent)),
  id_token_claims: describe(Schema.NullOr(Schema.Literals(idTokenClaimModes)), orNull(oauthTexts.id_token_claims)),
  require_pkce: describe(MaybeFlag, orNull(oauthTexts.require_pkce)),
  require_par: describe(MaybeFlag, orNull(oauthTexts.require_par)),
  require_dpop: describe(MaybeFlag, orNull(oauthTexts.require_dpop)),
  access_token_minutes: describe(MaybeNumber, orNull(oauthTexts.access_token_minutes)),
  refresh_token_days: describe(MaybeNumber, orNull(oauthTexts.refresh_token_days)),
  login_app_id: describe(MaybeText, oauthTexts.login_app_id),
  client_id: describe(MaybeText, orNull(oauthTexts.client_id)),
  registration: describe(Schema.NullOr(Schema.Literals(registrationKinds)), oauthTexts.registration),
  client_secret: describe(
    Schema.optionalKey(Schema.String),
    "The secret of the OAuth client: `ocs_` followed by 43 letters and digits. Only in the response that creates the secret, if the client authenticates with one."
  )
}
