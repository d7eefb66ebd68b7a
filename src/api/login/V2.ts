import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { LongRunning, NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { PasswordText } from "../credentials/Fields.ts"
import { userFieldsV2 } from "../provisioning/Fields.ts"
import { SessionBody } from "../sessions/V2.ts"
import { UserBody } from "../users/V2.ts"
import { EmptyBody, Flag, maybe, requestAttributes, SecretText } from "../Wire.ts"
import { newPassword, TokenBody } from "./Fields.ts"

/** What a user may change of their own profile (C14). */
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
  Schema.Struct({ user: Schema.Struct(fields), ...requestAttributes })

/** A session, or a token that completes the login together with a code. */
const session = [SessionBody, TokenBody]

/** Logins, passwords and e-mail verification of `/v2` (C14). `user_id` is an id or an e-mail. */
export class LoginsV2 extends HttpApiGroup.make("v2.logins")
  .add(
    HttpApiEndpoint.post("authenticate", "/:user_id/authenticate", {
      disableCodecs: true,
      params: path,
      payload: userWith({ password: maybe(PasswordText) }),
      success: session
    })
      .annotate(LongRunning, true)
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.post("authenticate_token", "/authenticate_token", {
      disableCodecs: true,
      payload: userWith({ token: maybe(SecretText), code: maybe(SecretText) }),
      success: SessionBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("generate_password_token", "/:user_id/generate_password_token", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: TokenBody
    }),
    HttpApiEndpoint.post("reset_password_with_token", "/reset_password_with_token", {
      disableCodecs: true,
      payload: userWith({ token: maybe(SecretText), ...newPassword }),
      success: session
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("request_email_verification", "/:user_id/request_email_verification", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: TokenBody
    }),
    HttpApiEndpoint.post("verify_email", "/verify_email", {
      disableCodecs: true,
      payload: userWith({ token: maybe(SecretText) }),
      success: UserBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update_password", "/:user_id/update_password", {
      disableCodecs: true,
      params: path,
      payload: userWith({ current_password: maybe(PasswordText), ...newPassword, keep_sessions: maybe(Flag) }),
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
