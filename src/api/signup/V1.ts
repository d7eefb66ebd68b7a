import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { userFields } from "../nested/UserFieldsV1.ts"
import { UserTokenBody } from "../nested/V1.ts"
import { beside, inRealm } from "../Wire.ts"

const { username, email, first_name, last_name, password, password_confirmation } = userFields

/** Signup tokens (api-v1 section 4, "Signup tokens"). `token_id`: the token. */
export class UserTokens extends HttpApiGroup.make("v1.user_tokens")
  .add(
    HttpApiEndpoint.get("get", "/:token_id", {
      disableCodecs: true,
      params: { token_id: Schema.String },
      query: inRealm,
      success: UserTokenBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        user_token: Schema.Struct({ username, email, first_name, last_name, password, password_confirmation }),
        ...beside
      }),
      success: UserTokenBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user_token")
  )
  .prefix("/v1/user_tokens")
  .annotateEndpoints(Resource, "user_token")
  .pipe(requireTenantAccess) {}
