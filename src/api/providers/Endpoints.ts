import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { isUniqueProviderType, providerStates, providerTypes, responseModes, secretMethods } from "#domain/AuthProvider"
import { attestations, userVerifications } from "#domain/Passkey"
import { characterKinds } from "#domain/PasswordPolicy"
import { wellKnownTypes } from "#domain/WellKnownProviders"
import { NameInPath, RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { realmId } from "../memberships/Members.ts"
import { Choice, listOf, MaybeText, pageQuery, realmQuery, requestAttributes } from "../Wire.ts"
import { Settings, settings } from "./Fields.ts"
import { texts } from "./Texts.ts"

const common = {
  id: describe(Schema.String, "The auth provider's ID, which begins with `ap_`."),
  object: objectType("auth_provider"),
  state: describe(Schema.String, texts.state, { enum: providerStates }),
  realm_id: realmId,
  created_at: createdAt
}

const client = {
  ...common,
  name: describe(MaybeText, texts.name),
  client_id: describe(Schema.String, texts.client_id),
  scopes: describe(Schema.Array(Schema.String), texts.scopes),
  callback_by_type: describe(Schema.Boolean, texts.callback_by_type)
}

/** The named services without settings of their own. */
const plainTypes = wellKnownTypes.filter((type) => type !== "apple" && type !== "microsoft").toSorted()

/** An auth provider with the settings of its type. Its client secret is never returned. */
export const AuthProviderBody = Schema.Union([
  Schema.Struct({
    ...common,
    provider_type: describe(Schema.Literal("password"), texts.provider_type),
    min_length: describe(Schema.Finite, texts.min_length, { type: "integer" }),
    preset: describe(Schema.String, texts.preset, { enum: ["none", "nist"] }),
    required_chars: describe(Schema.Array(Schema.String), texts.required_chars, {
      type: "array",
      items: { type: "string", enum: characterKinds }
    })
  }),
  Schema.Struct({ ...common, provider_type: describe(Schema.Literal("totp"), texts.provider_type) }),
  Schema.Struct({
    ...common,
    provider_type: describe(Schema.Literal("passkey"), texts.provider_type),
    user_verification: describe(Schema.String, texts.user_verification, { enum: userVerifications }),
    attestation: describe(Schema.String, texts.attestation, { enum: attestations }),
    attestation_roots: describe(Schema.Array(Schema.String), texts.attestation_roots)
  }),
  Schema.Struct({
    ...common,
    provider_type: describe(Schema.Literal("email_code"), texts.provider_type),
    second_factor: describe(Schema.Boolean, texts.second_factor)
  }),
  Schema.Struct({
    ...client,
    provider_type: describe(Schema.Literals(plainTypes), texts.provider_type)
  }),
  Schema.Struct({
    ...client,
    provider_type: describe(Schema.Literal("apple"), texts.provider_type),
    team_id: describe(Schema.String, texts.team_id),
    key_id: describe(Schema.String, texts.key_id)
  }),
  Schema.Struct({
    ...client,
    provider_type: describe(Schema.Literal("microsoft"), texts.provider_type),
    tenant: describe(Schema.String, texts.tenant)
  }),
  Schema.Struct({
    ...client,
    provider_type: describe(Schema.Literal("oidc"), texts.provider_type),
    issuer: describe(Schema.String, texts.issuer),
    token_endpoint_auth_method: describe(
      Schema.NullOr(Schema.Literals(secretMethods)),
      texts.token_endpoint_auth_method
    ),
    response_mode: describe(Schema.Literals(responseModes), texts.response_mode)
  }),
  Schema.Struct({
    ...client,
    provider_type: describe(Schema.Literal("oauth2"), texts.provider_type),
    authorization_url: describe(Schema.String, texts.authorization_url),
    token_url: describe(Schema.String, texts.token_url),
    profile_url: describe(Schema.String, texts.profile_url),
    token_endpoint_auth_method: describe(
      Schema.NullOr(Schema.Literals(secretMethods)),
      texts.token_endpoint_auth_method
    ),
    id_field: describe(Schema.String, texts.id_field),
    email_field: describe(Schema.String, texts.email_field),
    email_verified_field: describe(MaybeText, texts.email_verified_field),
    first_name_field: describe(MaybeText, texts.first_name_field),
    last_name_field: describe(MaybeText, texts.last_name_field),
    name_field: describe(MaybeText, texts.name_field)
  }).annotate({ identifier: "OAuth2AuthProvider" })
]).annotate({ identifier: "AuthProvider" })

const path = { auth_provider_id: Schema.String }

/** Auth providers, the same in both versions. `auth_provider_id` is an ID, or a type other than `oauth2` and `oidc`. */
export const authProviders = <const Version extends "v1" | "v2">(version: Version) =>
  HttpApiGroup.make(`${version}.auth_providers`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: {
          ...pageQuery(["id"]),
          provider_type: Schema.optionalKey(Choice(providerTypes)),
          state: Schema.optionalKey(Choice(providerStates))
        },
        success: listOf(AuthProviderBody)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:auth_provider_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: AuthProviderBody
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({
          auth_provider: describe(
            Schema.Struct({
              provider_type: describe(Choice(providerTypes), `${texts.provider_type} Can't be changed later.`),
              ...settings
            }),
            "The new provider, with the settings of its type."
          ),
          ...requestAttributes
        }),
        success: AuthProviderBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "auth_provider")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.put("update", "/:auth_provider_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({
          auth_provider: describe(Settings, "The changes, with settings that apply to its type."),
          ...requestAttributes
        }),
        success: AuthProviderBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "auth_provider")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.delete("delete", "/:auth_provider_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(`/${version}/auth_providers`)
    .annotateEndpoints(Resource, "auth_provider")
    .annotateEndpoints(NameInPath, isUniqueProviderType)
    .pipe(requireTenantAccess)
