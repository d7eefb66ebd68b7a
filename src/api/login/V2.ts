import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  AllowsSupport,
  LongRunning,
  NameInPath,
  RequiredLevel,
  Resource,
  RulesFirst,
  requireTenantAccess,
  Wrapper
} from "../Access.ts"
import { CreationOptionsBody, RequestOptionsBody } from "../credentials/Passkeys.ts"
import { describe } from "../Description.ts"
import { EmailText, emailKeywords, userFieldsV2 } from "../provisioning/Fields.ts"
import { SessionBody } from "../sessions/V2.ts"
import { UserBody } from "../users/V2.ts"
import { EmptyBody, Flag, maybe, requestAttributes } from "../Wire.ts"
import {
  CodeRequest,
  code,
  newPassword,
  oldPassword,
  passkeyLogin,
  passkeyLoginOptionsPayload,
  passkeyOptionsPayload,
  password,
  SentMailBody,
  TokenBody,
  tokenOf
} from "./Fields.ts"

/** The members that users can change in their own profile (C14). */
export const profileFields = {
  email: describe(
    maybe(EmailText),
    "A new email, which replaces the current one once it is verified through an email sent to it.",
    emailKeywords
  ),
  first_name: userFieldsV2.first_name,
  last_name: userFieldsV2.last_name,
  username: userFieldsV2.username,
  locale: userFieldsV2.locale,
  password: userFieldsV2.password,
  password_confirmation: userFieldsV2.password_confirmation
}

const path = { user_id: Schema.String }

const userWith = <const Fields extends Schema.Struct.Fields>(fields: Fields, description: string) =>
  Schema.Struct({ user: describe(Schema.Struct(fields), description), ...requestAttributes })

/** A session, or a token for completing the login with a code. */
const session = [SessionBody, TokenBody]

/** Logins, passwords and email verification of `/v2` (C14). `user_id` is an ID or an email. */
export class LoginsV2 extends HttpApiGroup.make("v2.logins")
  .add(
    HttpApiEndpoint.post("authenticate", "/:user_id/authenticate", {
      disableCodecs: true,
      params: path,
      payload: userWith({ password }, "The password."),
      success: session
    })
      .annotate(LongRunning, true)
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.post("authenticate_token", "/authenticate_token", {
      disableCodecs: true,
      payload: userWith(
        { token: tokenOf("The token of the login (`tmf:…`) or of an emailed code (`tec:…`)."), code },
        "The proof."
      ),
      success: session
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("passkey_options", "/:user_id/passkey_options", {
      disableCodecs: true,
      params: path,
      payload: passkeyOptionsPayload,
      success: CreationOptionsBody
    }),
    HttpApiEndpoint.post("passkey_login_options", "/passkey_options", {
      disableCodecs: true,
      payload: passkeyLoginOptionsPayload,
      success: [RequestOptionsBody, CreationOptionsBody]
    }),
    HttpApiEndpoint.post("authenticate_passkey", "/authenticate_passkey", {
      disableCodecs: true,
      payload: userWith(passkeyLogin, "The answer."),
      success: session
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("send_code", "/:user_id/send_code", {
      disableCodecs: true,
      params: path,
      payload: CodeRequest,
      success: TokenBody
    }),
    HttpApiEndpoint.post("generate_password_token", "/:user_id/generate_password_token", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: TokenBody
    }),
    HttpApiEndpoint.post("send_password_reset", "/:user_id/send_password_reset", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: SentMailBody
    }).annotate(AllowsSupport, true),
    HttpApiEndpoint.post("send_email_verification", "/:user_id/send_email_verification", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: SentMailBody
    }).annotate(AllowsSupport, true),
    HttpApiEndpoint.post("reset_password_with_token", "/reset_password_with_token", {
      disableCodecs: true,
      payload: userWith({ token: tokenOf("The token, `tpw:…`."), ...newPassword }, "The new password."),
      success: session
    })
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.post("request_email_verification", "/:user_id/request_email_verification", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: TokenBody
    }),
    HttpApiEndpoint.post("verify_email", "/verify_email", {
      disableCodecs: true,
      payload: userWith({ token: tokenOf("The token, `tve:…` or `tue:…`.") }, "The proof."),
      success: UserBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update_password", "/:user_id/update_password", {
      disableCodecs: true,
      params: path,
      payload: userWith(
        {
          current_password: oldPassword,
          ...newPassword,
          keep_sessions: describe(maybe(Flag), "Whether the user's sessions continue. Default: false.", {
            default: false
          })
        },
        "The passwords."
      ),
      success: UserBody
    })
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.put("update_profile", "/:user_id/profile", {
      disableCodecs: true,
      params: path,
      payload: userWith(profileFields, "The changes."),
      success: UserBody
    })
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true)
  )
  .prefix("/v2/users")
  .annotateEndpoints(RequiredLevel, "write")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, (text: string) => text.includes("@"))
  .pipe(requireTenantAccess) {}
