import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { isUniqueProviderType } from "#domain/AuthProvider"
import {
  AllProblems,
  ErrorResponses,
  Idempotency,
  LongRunning,
  NameInPath,
  RequiredLevel,
  Resource,
  TenantAccess
} from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { EmptyBody } from "../Wire.ts"
import { authProviders } from "./Endpoints.ts"

/** The result of a provider test. */
export const ProviderTestBody = Schema.Struct({
  object: objectType("auth_provider_test"),
  state: describe(
    Schema.Literals(["completed", "failed"]),
    "The result of the test: `completed` if no check failed, otherwise `failed`."
  ),
  checks: describe(
    Schema.Array(
      Schema.Struct({
        name: describe(
          Schema.Literals([
            "settings",
            "discovery",
            "authorization_endpoint",
            "token_endpoint",
            "profile_endpoint",
            "keys"
          ]),
          "The name of the check: the issuer publishes its endpoints (`discovery`), the login page responds (`authorization_endpoint`), the client ID and the client secret are accepted (`token_endpoint`), the profile endpoint responds (`profile_endpoint`), or the keys of ID tokens can be fetched (`keys`). For a provider without external calls, only the settings are checked (`settings`)."
        ),
        state: describe(
          Schema.Literals(["completed", "failed", "skipped"]),
          "The result of the check: `completed`, `failed`, or `skipped` if it was inconclusive."
        ),
        detail: describe(Schema.String, "A sentence with details.")
      }).annotate({ identifier: "ProviderCheck" })
    ),
    "Each check."
  )
}).annotate({ identifier: "ProviderTest" })

const test = HttpApiEndpoint.post("test", "/v2/auth_providers/:auth_provider_id/test", {
  disableCodecs: true,
  params: { auth_provider_id: Schema.String },
  payload: EmptyBody,
  success: ProviderTestBody
})
  .annotate(LongRunning, true)
  .annotate(RequiredLevel, "admin_realm")
  .annotate(Resource, "auth_provider")
  .annotate(NameInPath, isUniqueProviderType)
  .middleware(AllProblems)
  .middleware(Idempotency)
  .middleware(TenantAccess)
  .middleware(ErrorResponses)

/** Auth providers of `/v2`. */
export class AuthProvidersV2 extends authProviders("v2").add(test) {}
