import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { userFieldsV1 } from "../provisioning/Fields.ts"
import { MaybeText, realmQuery, requestAttributes } from "../Wire.ts"

/** A signup token. Its `id` is the token itself. */
export const UserTokenBody = Schema.Struct({
  id: describe(Schema.String, "The token itself, which begins with `utk_`. Valid for one user and 24 hours."),
  object: objectType("user_token"),
  username: describe(MaybeText, "The username; null if none."),
  email: describe(MaybeText, "The email, in lower case; null if none."),
  first_name: describe(MaybeText, "The first name; null if none."),
  last_name: describe(MaybeText, "The last name; null if none."),
  credential_type: describe(Schema.Literal("password"), "The method by which the user will log in: always `password`.")
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
        user_token: describe(
          Schema.Struct({ username, email, first_name, last_name, password, password_confirmation }),
          "The person's data."
        ),
        ...requestAttributes
      }),
      success: UserTokenBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user_token")
      .annotate(RulesFirst, true)
  )
  .prefix("/v1/user_tokens")
  .annotateEndpoints(Resource, "user_token")
  .pipe(requireTenantAccess) {}
