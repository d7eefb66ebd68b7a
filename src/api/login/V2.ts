import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { GoesOutside, NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { userFieldsV2 } from "../provisioning/Fields.ts"
import { SessionBody } from "../sessions/V2.ts"
import { UserBody } from "../users/V2.ts"
import { beside, Flag, maybe } from "../Wire.ts"
import { newPassword, Presented, TokenBody, TypedPassword } from "./Fields.ts"

/** What a user may change of their own profile (decision 14). */
export const profileFields = {
  email: userFieldsV2.email,
  first_name: userFieldsV2.first_name,
  last_name: userFieldsV2.last_name,
  username: userFieldsV2.username,
  locale: userFieldsV2.locale,
  password: userFieldsV2.password,
  password_confirmation: userFieldsV2.password_confirmation
}

const path = { user_id: Schema.String }

const userWith = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ user: Schema.Struct(fields), ...beside })

const bare = Schema.Struct(beside)

/** A session, or the token of a login whose code is due. */
const session = [SessionBody, TokenBody]

/** How users of `/v2` prove who they are (decision 14). `user_id`: id or e-mail. */
export class LoginsV2 extends HttpApiGroup.make("v2.logins")
  .add(
    HttpApiEndpoint.post("authenticate", "/:user_id/authenticate", {
      disableCodecs: true,
      params: path,
      payload: userWith({ password: maybe(TypedPassword) }),
      success: session
    })
      .annotate(GoesOutside, true)
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.post("authenticate_token", "/authenticate_token", {
      disableCodecs: true,
      payload: userWith({ token: Presented, code: Presented }),
      success: SessionBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("generate_password_token", "/:user_id/generate_password_token", {
      disableCodecs: true,
      params: path,
      payload: bare,
      success: TokenBody
    }),
    HttpApiEndpoint.post("reset_password_with_token", "/reset_password_with_token", {
      disableCodecs: true,
      payload: userWith({ token: Presented, ...newPassword }),
      success: session
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("request_email_verification", "/:user_id/request_email_verification", {
      disableCodecs: true,
      params: path,
      payload: bare,
      success: TokenBody
    }),
    HttpApiEndpoint.post("verify_email", "/verify_email", {
      disableCodecs: true,
      payload: userWith({ token: Presented }),
      success: UserBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update_password", "/:user_id/update_password", {
      disableCodecs: true,
      params: path,
      payload: userWith({ current_password: maybe(TypedPassword), ...newPassword, keep_sessions: maybe(Flag) }),
      success: UserBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update_profile", "/:user_id/profile", {
      disableCodecs: true,
      params: path,
      payload: userWith(profileFields),
      success: UserBody
    }).annotate(Wrapper, "user")
  )
  .prefix("/v2/users")
  .annotateEndpoints(RequiredLevel, "write")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, (text: string) => text.includes("@"))
  .pipe(requireTenantAccess) {}
