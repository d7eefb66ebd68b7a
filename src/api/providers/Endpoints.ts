import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { isUniqueProviderType, providerStates, providerTypes, wellKnownTypes } from "#domain/AuthProvider"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { Choice, listOf, MaybeText, pageQuery, realmQuery, requestAttributes } from "../Wire.ts"
import { Settings, settings } from "./Fields.ts"

const common = {
  id: Schema.String,
  object: Schema.Literal("auth_provider"),
  state: Schema.String,
  realm_id: Schema.String,
  created_at: Schema.Finite
}

const client = { ...common, name: MaybeText, client_id: Schema.String, scopes: Schema.Array(Schema.String) }

/** An auth provider with the settings of its type. No answer contains its client secret. */
export const AuthProviderBody = Schema.Union([
  Schema.Struct({
    ...common,
    provider_type: Schema.Literal("password"),
    min_length: Schema.Finite,
    preset: Schema.String,
    required_chars: Schema.Array(Schema.String)
  }),
  Schema.Struct({ ...common, provider_type: Schema.Literal("totp") }),
  Schema.Struct({ ...client, provider_type: Schema.Literals(wellKnownTypes) }),
  Schema.Struct({
    ...client,
    provider_type: Schema.Literal("oauth2"),
    authorization_url: Schema.String,
    token_url: Schema.String,
    profile_url: Schema.String,
    id_field: Schema.String,
    email_field: Schema.String,
    email_verified_field: MaybeText,
    first_name_field: MaybeText,
    last_name_field: MaybeText,
    name_field: MaybeText
  })
]).annotate({ identifier: "AuthProvider" })

const path = { auth_provider_id: Schema.String }

/** Auth providers: both versions have the same. `auth_provider_id` is an id, or a type other than `oauth2`. */
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
          auth_provider: Schema.Struct({ provider_type: Choice(providerTypes), ...settings }),
          ...requestAttributes
        }),
        success: AuthProviderBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "auth_provider"),
      HttpApiEndpoint.put("update", "/:auth_provider_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ auth_provider: Settings, ...requestAttributes }),
        success: AuthProviderBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "auth_provider"),
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
