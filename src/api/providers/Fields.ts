import { Schema } from "effect"
import { MIN_LENGTH_RANGE, providerStates, responseModes, secretMethods } from "#domain/AuthProvider"
import { MAX_CLIENT_SECRET_LENGTH } from "#domain/AuthProviderProblems"
import { attestations, defaultPasskeyRules, MAX_ATTESTATION_ROOTS, userVerifications } from "#domain/Passkey"
import { characterKinds, defaultPolicy } from "#domain/PasswordPolicy"
import { TEXT_LENGTH } from "#domain/Text"
import { URL_LENGTH } from "#domain/WebUrl"
import { describe, type Keywords } from "../Description.ts"
import { Choice, Flag, Integer, List, maybe, Scopes, Words } from "../Wire.ts"
import { texts } from "./Texts.ts"

// The core checks the values, which depend on the type of the provider.
const text = (description: string, keywords: Keywords = {}) =>
  describe(maybe(Schema.String), description, { maxLength: TEXT_LENGTH, ...keywords })

const url = (description: string) =>
  text(`${description} https, or http if the deployment allows it. Required for \`oauth2\`.`, {
    format: "uri",
    maxLength: URL_LENGTH
  })

/** The settings of an auth provider that a caller can set. Settings that don't apply to its type are ignored (C8, C44). */
export const settings = {
  state: describe(Schema.optionalKey(Choice(providerStates)), `${texts.state} Default: \`active\`.`, {
    default: "active"
  }),
  min_length: describe(maybe(Integer), `${texts.min_length} Default: ${defaultPolicy.minLength}.`, {
    minimum: MIN_LENGTH_RANGE.least,
    maximum: MIN_LENGTH_RANGE.most,
    default: defaultPolicy.minLength
  }),
  preset: describe(maybe(Choice(["none", "nist"])), `${texts.preset} Default: \`none\`.`, { default: "none" }),
  required_chars: describe(maybe(Words(Choice(characterKinds))), `${texts.required_chars} Default: none.`),
  user_verification: describe(maybe(Choice(userVerifications)), `${texts.user_verification} Default: \`preferred\`.`, {
    default: defaultPasskeyRules.userVerification
  }),
  attestation: describe(maybe(Choice(attestations)), `${texts.attestation} Default: \`none\`.`, {
    default: defaultPasskeyRules.attestation
  }),
  attestation_roots: describe(
    maybe(List(Schema.String)),
    `${texts.attestation_roots} At most ${MAX_ATTESTATION_ROOTS}. Default: none.`,
    { maxItems: MAX_ATTESTATION_ROOTS }
  ),
  second_factor: describe(maybe(Flag), `${texts.second_factor} Default: false.`, { default: false }),
  name: text(`${texts.name} Default: null.`),
  client_id: text(`${texts.client_id} Required, except for \`password\`, \`totp\`, \`passkey\` and \`email_code\`.`),
  client_secret: text(
    "Your client secret at the provider. For `apple`: the private key, as in the .p8 file, from which the client secrets are made. Stored encrypted, and never shown. Required, except for `password`, `totp`, `passkey` and `email_code`.",
    { maxLength: MAX_CLIENT_SECRET_LENGTH }
  ),
  team_id: text(`${texts.team_id} Required for \`apple\`.`),
  key_id: text(`${texts.key_id} Required for \`apple\`.`),
  tenant: text(`${texts.tenant} Default: \`common\`.`, { default: "common" }),
  issuer: text(`${texts.issuer} https, or http if the deployment allows it. Required for \`oidc\`.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  response_mode: describe(maybe(Choice(responseModes)), `${texts.response_mode} Default: \`query\`.`, {
    default: "query"
  }),
  scopes: describe(
    maybe(Scopes),
    `${texts.scopes} A list, or one text separated by spaces. Default: the scopes that a named service or \`oidc\` requires for profile and email; none for \`oauth2\`.`
  ),
  callback_by_type: describe(maybe(Flag), `${texts.callback_by_type} Default: false.`, { default: false }),
  authorization_url: url(texts.authorization_url),
  token_url: url(texts.token_url),
  profile_url: url(texts.profile_url),
  token_endpoint_auth_method: describe(
    maybe(Choice(secretMethods)),
    `${texts.token_endpoint_auth_method} Default: null.`
  ),
  id_field: text(`${texts.id_field} Default: \`id\`.`, { default: "id" }),
  email_field: text(`${texts.email_field} Default: \`email\`.`, { default: "email" }),
  email_verified_field: text(`${texts.email_verified_field} Default: null.`),
  first_name_field: text(`${texts.first_name_field} Default: null.`),
  last_name_field: text(`${texts.last_name_field} Default: null.`),
  name_field: text(`${texts.name_field} Default: null.`)
}

export const Settings = Schema.Struct(settings).annotate({ identifier: "AuthProviderInput" })

export type AuthProviderPayload = (typeof Settings)["Type"]
