import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { isUniqueProviderType } from "#domain/AuthProvider"
import { LongRunning, NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { ExternalRefusal } from "../Errors.ts"
import { LoginBody } from "../login/V1.ts"
import { expandQuery } from "../Wire.ts"
import { authorizationUrls } from "./Endpoints.ts"
import { codeFields, loginUrl, providerPath, tokenFields, urlFields } from "./Fields.ts"

const query = expandQuery("memberships")

/** The URL at which users log in to a provider. */
export const AuthorizationUrlBody = Schema.Struct({ ...urlFields, url: loginUrl }).annotate({
  identifier: "AuthorizationUrlV1"
})

/** Logins through external providers in `/v1` (`v1.external`). */
export class ExternalAuthenticationV1 extends HttpApiGroup.make("v1.external_authentication")
  .add(
    ...authorizationUrls(AuthorizationUrlBody),
    HttpApiEndpoint.post("authenticate", "/authorize", {
      disableCodecs: true,
      query,
      payload: Schema.Struct({ ...codeFields, ...query }),
      success: LoginBody,
      error: ExternalRefusal
    })
      .annotate(LongRunning, true)
      .annotate(RequiredLevel, "write"),
    HttpApiEndpoint.post("authenticate_token", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      query,
      payload: Schema.Struct({ ...tokenFields, ...query }),
      success: LoginBody,
      error: ExternalRefusal
    })
      .annotate(LongRunning, true)
      .annotate(RequiredLevel, "write")
  )
  .prefix("/v1/auth_providers")
  .annotateEndpoints(Resource, "auth_provider")
  .annotateEndpoints(NameInPath, isUniqueProviderType)
  .pipe(requireTenantAccess) {}
