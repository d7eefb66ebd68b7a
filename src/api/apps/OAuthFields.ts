import { Schema } from "effect"
import { MAX_REDIRECT_URIS } from "#domain/ConnectedApp"
import {
  clientTypes,
  consentModes,
  grantTypes,
  idTokenClaimModes,
  tokenEndpointAuthMethods
} from "#domain/clients/OAuthClient"
import { accessTokenMinutes, MAX_RESOURCES, refreshTokenDays } from "#domain/clients/OAuthClientInput"
import { MAX_SCOPES } from "#domain/clients/OAuthScope"
import { isObject } from "#domain/JsonObject"
import { URL_LENGTH } from "#domain/WebUrl"
import { describe, type Keywords } from "../Description.ts"
import { Choice, Flag, Integer, maybe, Words } from "../Wire.ts"
import { oauthTexts } from "./OAuthTexts.ts"
import { texts } from "./Texts.ts"

// The core checks the values, and whether they apply to a client type.
const words = (description: string, keywords: Keywords) =>
  describe(
    maybe(Words(Schema.String, { most: 1_000, between: /\s+/u })),
    `${description} A list, or one text separated by spaces.`,
    keywords
  )

const flag = (description: string, otherwise: boolean) =>
  describe(maybe(Flag), `${description} Default: ${otherwise}.`, { default: otherwise })

const number = (
  description: string,
  { least, most, default: otherwise }: typeof accessTokenMinutes | typeof refreshTokenDays
) =>
  describe(maybe(Integer), `${description} Default: ${otherwise}.`, {
    minimum: least,
    maximum: most,
    default: otherwise
  })

const JsonObject = Schema.declare(isObject, { expected: "an object", problem: { code: "not_object" } })

/** The settings that only OAuth clients have. */
export const oauthSettings = {
  client_type: describe(maybe(Choice(clientTypes)), `${texts.client_type} Default: \`standard\`.`, {
    default: "standard"
  }),
  post_logout_redirect_uris: words(`${oauthTexts.post_logout_redirect_uris} Default: none.`, {
    maxItems: MAX_REDIRECT_URIS
  }),
  backchannel_logout_uri: describe(maybe(Schema.String), `${oauthTexts.backchannel_logout_uri} Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  client_uri: describe(maybe(Schema.String), `${oauthTexts.client_uri} Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  initiate_login_uri: describe(maybe(Schema.String), `${oauthTexts.initiate_login_uri} Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  grant_types: describe(
    maybe(Words(Choice(grantTypes))),
    `${oauthTexts.grant_types} Default: depends on the client type.`
  ),
  token_endpoint_auth_method: describe(
    maybe(Choice(tokenEndpointAuthMethods)),
    `${oauthTexts.token_endpoint_auth_method} Default: \`client_secret_basic\`, or \`none\` for \`spa\`, \`native\` and \`device\`.`
  ),
  jwks: describe(maybe(JsonObject), `${oauthTexts.jwks} At most 10. Default: none.`, { type: "object" }),
  jwks_uri: describe(maybe(Schema.String), `${oauthTexts.jwks_uri} Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  allowed_scopes: words(
    `${oauthTexts.allowed_scopes} Default: the standard scopes; none for \`machine\`, which has no users.`,
    { maxItems: MAX_SCOPES }
  ),
  resources: words(`${oauthTexts.resources} Default: none.`, { maxItems: MAX_RESOURCES }),
  consent: describe(maybe(Choice(consentModes)), `${oauthTexts.consent} Default: \`skip\`.`, { default: "skip" }),
  id_token_claims: describe(maybe(Choice(idTokenClaimModes)), `${oauthTexts.id_token_claims} Default: \`scopes\`.`, {
    default: "scopes"
  }),
  require_pkce: flag(oauthTexts.require_pkce, true),
  require_par: flag(oauthTexts.require_par, false),
  require_dpop: flag(oauthTexts.require_dpop, false),
  access_token_minutes: number(oauthTexts.access_token_minutes, accessTokenMinutes),
  refresh_token_days: number(oauthTexts.refresh_token_days, refreshTokenDays),
  login_app_id: describe(maybe(Schema.String), `${oauthTexts.login_app_id} Default: null.`)
}
