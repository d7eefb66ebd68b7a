import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import {
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
import { UserBody, userBodyFields } from "../users/V1.ts"
import { EmptyBody, expandQuery, maybe, requestAttributes, SecretText } from "../Wire.ts"
import {
  CodeRequest,
  code,
  newPassword,
  oldPassword,
  passkeyLogin,
  passkeyLoginOptionsPayload,
  passkeyOptionsPayload,
  password,
  TokenBody,
  tokenOf
} from "./Fields.ts"
import { retry } from "./Retry.ts"

/**
 * A user with a token. It is the session's token, or a token for completing the login with a code or for verifying an email.
 */
export const LoginBody = Schema.Struct({
  ...userBodyFields,
  token: describe(
    Schema.String,
    "The login token: a JWT that your app can verify locally. If a second factor is required, a token that begins with `kli_` and completes the login with a code within 10 minutes. If email verification was requested, the token that verifies the email."
  ),
  retry
}).annotate({ identifier: "LoginV1" })

/** A user with a token for setting a new password. */
export const PasswordTokenBody = Schema.Struct({
  ...userBodyFields,
  password_reset_token: describe(
    Schema.String,
    "The token, which begins with `kpw_` and sets one new password within 60 minutes."
  )
}).annotate({ identifier: "PasswordTokenV1" })

const path = { user_id: Schema.String }

const query = expandQuery("memberships")

/** The members that every login accepts. `expand` can also be in the query. */
const loginAttributes = { ...query, ...requestAttributes }

/**
 * Logins, passwords and email verification of `/v1` (`v1.users`, C15). `user_id` is an ID or a username. For password resets
 * and email verification it can also be `--`, which refers to the user of the token.
 */
export class LoginsV1 extends HttpApiGroup.make("v1.logins")
  .add(
    HttpApiEndpoint.post("authenticate", "/:user_id/authenticate", {
      disableCodecs: true,
      params: path,
      query,
      payload: Schema.Struct({
        password,
        user: describe(
          maybe(Schema.Struct({ password })),
          "The same members inside a wrapper, as an alternative to the ones next to it."
        ),
        ...loginAttributes
      }),
      success: LoginBody
    }).annotate(LongRunning, true),
    HttpApiEndpoint.post("authenticate_code", "/:user_id/authenticate_code", {
      disableCodecs: true,
      params: path,
      query,
      payload: Schema.Struct({
        user: describe(
          Schema.Struct({ token: tokenOf("The token of the login (`kli_…`) or of an emailed code (`tec:…`)."), code }),
          "The proof."
        ),
        ...loginAttributes
      }),
      success: LoginBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.post("authenticate_key", "/authenticate_key", {
      disableCodecs: true,
      query,
      payload: Schema.Struct({
        api_key: describe(maybe(SecretText), "The API key of an active API user. Required."),
        ...loginAttributes
      }),
      success: LoginBody
    }),
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
      query,
      payload: Schema.Struct({
        user: describe(Schema.Struct(passkeyLogin), "The answer."),
        ...loginAttributes
      }),
      success: LoginBody
    }).annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update_password", "/:user_id/update_password", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        user: describe(Schema.Struct({ current_password: oldPassword, ...newPassword }), "The passwords."),
        ...requestAttributes
      }),
      success: HttpApiSchema.NoContent
    })
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
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
      success: PasswordTokenBody
    }),
    HttpApiEndpoint.post("reset_password_with_token", "/:user_id/reset_password_with_token", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        user: describe(Schema.Struct({ token: tokenOf("The token, `kpw_…`."), ...newPassword }), "The new password."),
        ...requestAttributes
      }),
      success: UserBody
    })
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.post("request_email_verification", "/:user_id/request_email_verification", {
      disableCodecs: true,
      params: path,
      payload: EmptyBody,
      success: LoginBody
    }),
    HttpApiEndpoint.post("verify_email", "/:user_id/verify_email", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        user: describe(Schema.Struct({ token: tokenOf("The token, `tve:…` or `tue:…`.") }), "The proof."),
        ...requestAttributes
      }),
      success: UserBody
    }).annotate(Wrapper, "user")
  )
  .prefix("/v1/users")
  .annotateEndpoints(RequiredLevel, "write")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, () => true)
  .pipe(requireTenantAccess) {}
