import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { isUniqueProviderType } from "#domain/AuthProvider"
import { LongRunning, NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe } from "../Description.ts"
import { ExternalRefusal } from "../Errors.ts"
import { TokenBody } from "../login/Fields.ts"
import { SessionBody } from "../sessions/V2.ts"
import { authorizationUrls } from "./Endpoints.ts"
import { codeFields, loginUrl, providerPath, tokenFields, urlFields } from "./Fields.ts"

/** The URL at which users log in to a provider. */
export const AuthorizationUrlBody = Schema.Struct({
  ...urlFields,
  auth_url: loginUrl,
  realm_id: describe(Schema.String, "The ID of the provider's realm.")
}).annotate({ identifier: "AuthorizationUrl" })

/** A session, or a token for completing the login with a code. */
const session = [SessionBody.pipe(HttpApiSchema.status(201)), TokenBody.pipe(HttpApiSchema.status(201))]

/** Logins through external providers in `/v2` (`v2.external`). */
export class ExternalAuthenticationV2 extends HttpApiGroup.make("v2.external_authentication")
  .add(
    ...authorizationUrls(AuthorizationUrlBody),
    HttpApiEndpoint.post("authenticate", "/authorize", {
      disableCodecs: true,
      payload: Schema.Struct(codeFields),
      success: session,
      error: ExternalRefusal
    })
      .annotate(LongRunning, true)
      .annotate(RequiredLevel, "write"),
    HttpApiEndpoint.post("authenticate_token", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      payload: Schema.Struct(tokenFields),
      success: session,
      error: ExternalRefusal
    })
      .annotate(LongRunning, true)
      .annotate(RequiredLevel, "write")
  )
  .prefix("/v2/auth_providers")
  .annotateEndpoints(Resource, "auth_provider")
  .annotateEndpoints(NameInPath, isUniqueProviderType)
  .pipe(requireTenantAccess) {}
