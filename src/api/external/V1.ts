import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { isSingleType } from "#domain/AuthProvider"
import { GoesOutside, NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { ExternalRefusal } from "../Errors.ts"
import { LoginBody } from "../login/V1.ts"
import { expanding, listOf } from "../Wire.ts"
import { codeFields, providerPath, tokenFields, urlFields, urlQuery } from "./Fields.ts"

const query = { expand: Schema.optionalKey(expanding(["memberships"])) }

/** Where a person goes to log in at a provider. */
export const AuthorizationUrlBody = Schema.Struct({ ...urlFields, url: Schema.String }).annotate({
  identifier: "AuthorizationUrlV1"
})

/** Logins through providers elsewhere (api-v1 section 4, "External authentication"). */
export class ExternalAuthenticationV1 extends HttpApiGroup.make("v1.external_authentication")
  .add(
    HttpApiEndpoint.get("list_urls", "/authorize", {
      disableCodecs: true,
      query: urlQuery,
      success: listOf(AuthorizationUrlBody)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get_url", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      query: urlQuery,
      success: AuthorizationUrlBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("authenticate", "/authorize", {
      disableCodecs: true,
      query,
      payload: Schema.Struct({ ...codeFields, ...query }),
      success: LoginBody,
      error: ExternalRefusal
    })
      .annotate(GoesOutside, true)
      .annotate(RequiredLevel, "write"),
    HttpApiEndpoint.post("authenticate_token", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      query,
      payload: Schema.Struct({ ...tokenFields, ...query }),
      success: LoginBody,
      error: ExternalRefusal
    })
      .annotate(GoesOutside, true)
      .annotate(RequiredLevel, "write")
  )
  .prefix("/v1/auth_providers")
  .annotateEndpoints(Resource, "auth_provider")
  .annotateEndpoints(NameInPath, isSingleType)
  .pipe(requireTenantAccess) {}
