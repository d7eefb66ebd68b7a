import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { userFieldsV1 } from "../provisioning/Fields.ts"
import { MaybeText, realmQuery, requestAttributes } from "../Wire.ts"

/** A signup token; `id` is the token itself. */
export const UserTokenBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("user_token"),
  username: MaybeText,
  email: MaybeText,
  first_name: MaybeText,
  last_name: MaybeText,
  credential_type: Schema.Literal("password")
}).annotate({ identifier: "UserToken" })

const { username, email, first_name, last_name, password, password_confirmation } = userFieldsV1

/** Signup tokens (`v1.user_tokens`). `token_id` is the token. */
export class UserTokensV1 extends HttpApiGroup.make("v1.user_tokens")
  .add(
    HttpApiEndpoint.get("get", "/:token_id", {
      disableCodecs: true,
      params: { token_id: Schema.String },
      query: realmQuery,
      success: UserTokenBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        user_token: Schema.Struct({ username, email, first_name, last_name, password, password_confirmation }),
        ...requestAttributes
      }),
      success: UserTokenBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user_token")
  )
  .prefix("/v1/user_tokens")
  .annotateEndpoints(Resource, "user_token")
  .pipe(requireTenantAccess) {}
