import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { isSingleType } from "#domain/AuthProvider"
import { GoesOutside, NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { ExternalRefusal } from "../Errors.ts"
import { TokenBody } from "../login/Fields.ts"
import { SessionBody } from "../sessions/V2.ts"
import { listOf } from "../Wire.ts"
import { codeFields, providerPath, tokenFields, urlFields, urlQuery } from "./Fields.ts"

/** Where a person goes to log in at a provider. */
export const AuthorizationUrlBody = Schema.Struct({
  ...urlFields,
  auth_url: Schema.String,
  realm_id: Schema.String
}).annotate({ identifier: "AuthorizationUrl" })

/** A session, or the token of a login whose code is due. */
const session = [SessionBody.pipe(HttpApiSchema.status(201)), TokenBody.pipe(HttpApiSchema.status(201))]

/** Logins through providers elsewhere (api-v2 section 4, "External authentication"). */
export class ExternalAuthenticationV2 extends HttpApiGroup.make("v2.external_authentication")
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
      payload: Schema.Struct(codeFields),
      success: session,
      error: ExternalRefusal
    })
      .annotate(GoesOutside, true)
      .annotate(RequiredLevel, "write"),
    HttpApiEndpoint.post("authenticate_token", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      payload: Schema.Struct(tokenFields),
      success: session,
      error: ExternalRefusal
    })
      .annotate(GoesOutside, true)
      .annotate(RequiredLevel, "write")
  )
  .prefix("/v2/auth_providers")
  .annotateEndpoints(Resource, "auth_provider")
  .annotateEndpoints(NameInPath, isSingleType)
  .pipe(requireTenantAccess) {}
