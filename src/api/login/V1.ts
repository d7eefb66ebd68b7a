import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { GoesOutside, NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { UserBody, userBodyFields } from "../users/V1.ts"
import { beside, expanding, maybe } from "../Wire.ts"
import { newPassword, Presented, TypedPassword } from "./Fields.ts"

/** A user who has logged in, with the session's token or the one to be completed by a code; or one with a token to prove an e-mail. */
export const LoginBody = Schema.Struct({ ...userBodyFields, token: Schema.String }).annotate({ identifier: "LoginV1" })

/** A user with a token to set a new password by. */
export const PasswordTokenBody = Schema.Struct({ ...userBodyFields, password_reset_token: Schema.String }).annotate({
  identifier: "PasswordTokenV1"
})

const path = { user_id: Schema.String }

const expansion = Schema.optionalKey(expanding(["memberships"]))

/** What may be asked for with a login: in the body or in the query. */
const withExpansion = { expand: expansion, ...beside }

const query = { expand: expansion }

const bare = Schema.Struct(beside)

/** How users of `/v1` prove who they are (api-v1 section 4 "Users", decision 15). `user_id`: id or username; at a reset and a verification also `--`: of the token. */
export class LoginsV1 extends HttpApiGroup.make("v1.logins")
  .add(
    HttpApiEndpoint.post("authenticate", "/:user_id/authenticate", {
      disableCodecs: true,
      params: path,
      query,
      payload: Schema.Struct({
        password: maybe(TypedPassword),
        user: maybe(Schema.Struct({ password: maybe(TypedPassword) })),
        ...withExpansion
      }),
      success: LoginBody
    }).annotate(GoesOutside, true),
    HttpApiEndpoint.post("authenticate_code", "/:user_id/authenticate_code", {
      disableCodecs: true,
      params: path,
      query,
      payload: Schema.Struct({ user: Schema.Struct({ token: Presented, code: Presented }), ...withExpansion }),
      success: LoginBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("authenticate_key", "/authenticate_key", {
      disableCodecs: true,
      query,
      payload: Schema.Struct({ api_key: Presented, ...withExpansion }),
      success: LoginBody
    }),
    HttpApiEndpoint.put("update_password", "/:user_id/update_password", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        user: Schema.Struct({ current_password: maybe(TypedPassword), ...newPassword }),
        ...beside
      }),
      success: HttpApiSchema.NoContent
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("generate_password_token", "/:user_id/generate_password_token", {
      disableCodecs: true,
      params: path,
      payload: bare,
      success: PasswordTokenBody
    }),
    HttpApiEndpoint.post("reset_password_with_token", "/:user_id/reset_password_with_token", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct({ token: Presented, ...newPassword }), ...beside }),
      success: UserBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("request_email_verification", "/:user_id/request_email_verification", {
      disableCodecs: true,
      params: path,
      payload: bare,
      success: LoginBody
    }),
    HttpApiEndpoint.post("verify_email", "/:user_id/verify_email", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct({ token: Presented }), ...beside }),
      success: UserBody
    }).annotate(Wrapper, "user")
  )
  .prefix("/v1/users")
  .annotateEndpoints(RequiredLevel, "write")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, () => true)
  .pipe(requireTenantAccess) {}
