// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { LoginV1 } from "../types/LoginV1.ts"
import type { PasskeyCreationChallenge } from "../types/PasskeyCreationChallenge.ts"
import type { PasskeyLoginChallenge } from "../types/PasskeyLoginChallenge.ts"
import type { PasswordTokenV1 } from "../types/PasswordTokenV1.ts"
import type { Token } from "../types/Token.ts"
import type { UserV1 } from "../types/UserV1.ts"
import type {
  AuthenticatePasskeyV1,
  AuthenticateV1,
  AuthenticateWithCodeV1,
  AuthenticateWithKeyV1,
  GeneratePasswordTokenV1,
  PasskeyLoginOptionsV1,
  PasskeyOptionsV1,
  RequestEmailVerificationV1,
  ResetPasswordWithTokenV1,
  SendCodeV1,
  UpdatePasswordV1,
  VerifyEmailV1
} from "./LoginsV1Types.ts"

/** Logins, passwords and email verification. */
export interface LoginsV1<F extends Form> {
  /**
   * Authenticate with a password.
   *
   * Returns the user with a login `token`. If the user has a second factor, the token begins with `kli_`, and
   * `authenticate_code` completes the login within 10 minutes. Returns 401 if the login fails. `params.reason` in
   * `error_details` contains the reason, such as `wrong_password` or `user_inactive`, which is not meant for the person
   * logging in. Ten wrong passwords block the user for 15 minutes. Events: `user.login.succeeded`,
   * `user.login.initiated` or `user.login.failed`; `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  authenticate(userId: string, body?: AuthenticateV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Complete a login with a code.
   *
   * Accepts a code from an authenticator app, a recovery code or, with a token from `send_code`, the digits in the
   * email. After an emailed code, a second factor may still be required, as after a password. Returns 401 if the code
   * is wrong (five attempts are allowed), and 404 if the token is not valid or can no longer be used. Events:
   * `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.recovery_code.used`,
   * `user.email.verified`, `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  authenticateCode(userId: string, user: AuthenticateWithCodeV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Authenticate with an API key.
   *
   * For active API users. The token is valid for the realm's `api_key_minutes` and is not stored as a session. Event,
   * on the first login of a day: `user.login.succeeded`.
   *
   * Requires an API key of level `write`.
   */
  authenticateKey(body?: AuthenticateWithKeyV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Start to register a passkey.
   *
   * Returns the options for `navigator.credentials.create()`, and a token that is valid for 10 minutes. To register the
   * passkey, create a credential of type `passkey` with the token and the authenticator's response. A user can have up
   * to 20 passkeys.
   *
   * Requires an API key of level `write`.
   */
  passkeyOptions(userId: string, body?: PasskeyOptionsV1, options?: CallOptions): Answer<F, PasskeyCreationChallenge>
  /**
   * Start a login with a passkey.
   *
   * Returns the options for `navigator.credentials.get()`, and a token that is valid for 10 minutes. The options name
   * no user and are the same for everyone, because the person chooses a passkey, for example from the login form's
   * autofill. With the token of a login that waits for a second factor, the options are for the passkeys of its user.
   * If `retry` contains `passkeys`, the options are for creating a passkey with `navigator.credentials.create()`.
   *
   * Requires an API key of level `write`.
   */
  passkeyLoginOptions(
    body?: PasskeyLoginOptionsV1,
    options?: CallOptions
  ): Answer<F, PasskeyLoginChallenge | PasskeyCreationChallenge>
  /**
   * Authenticate with a passkey.
   *
   * Returns the user with a login `token`. If the authenticator didn't verify the user and the user has a second
   * factor, the token begins with `kli_`, and `authenticate_code` completes the login. With `login_token`, the passkey
   * completes a login that waits for a second factor. If `retry` contains `passkeys`, a new passkey can be set up as
   * the second factor. Returns 401 if the passkey is rejected. Rejected passkeys never block a user. Events:
   * `user.login.succeeded` or `user.login.initiated`; `user.login.failed` of the passkey's owner; `user.updated` for a
   * new passkey.
   *
   * Requires an API key of level `write`.
   */
  authenticatePasskey(user: AuthenticatePasskeyV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Change a password.
   *
   * Requires the current password. Ends the user's sessions, unless `keep_sessions` is true (`/v2`). Events:
   * `user.updated`, `session.deleted` for each session; `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  updatePassword(userId: string, user: UpdatePasswordV1, options?: CallOptions): Answer<F, void>
  /**
   * Send a code by email.
   *
   * Emails six digits and a link to an active human user, if the auth provider `email_code` is active. Returns a token
   * for `authenticate_code`. With the digits, it logs the user in and verifies the email, within 10 minutes and five
   * attempts. With the token of a login that waits for a second factor, the code completes that login instead, if the
   * provider has `second_factor` and the email is verified. Returns 429 after 3 emails in a minute or 10 in an hour.
   * Event, which contains the token of the link: `user.email_code.requested`.
   *
   * Requires an API key of level `write`.
   */
  sendCode(userId: string, body?: SendCodeV1, options?: CallOptions): Answer<F, Token>
  /**
   * Generate a password token.
   *
   * For active human users. The token is valid for 60 minutes and one new password. Event, which contains the token:
   * `user.password.resetting` (`/v1`: `user.password_token.created`).
   *
   * Requires an API key of level `write`.
   */
  generatePasswordToken(
    userId: string,
    body?: GeneratePasswordTokenV1,
    options?: CallOptions
  ): Answer<F, PasswordTokenV1>
  /**
   * Reset a password with a token.
   *
   * Ends the user's sessions and does not log the user in. `--` in the path refers to the user of the token. Events:
   * `user.password_token.consumed`, `session.deleted` for each session; or `user.password_token.failed`.
   *
   * Requires an API key of level `write`.
   */
  resetPasswordWithToken(userId: string, user: ResetPasswordWithTokenV1, options?: CallOptions): Answer<F, UserV1>
  /**
   * Request email verification.
   *
   * Returns a token, valid for 24 hours, that verifies the user's email (`tve:`) or, if that is already verified, the
   * pending email (`tue:`). Events: `user.updated` the first time; `user.email.verifying` (`/v1`:
   * `user.email.verification_requested`) or `user.email.updating`, which contain a different token to be sent by email.
   * The hosted login pages only accept the emailed token.
   *
   * Requires an API key of level `write`.
   */
  requestEmailVerification(userId: string, body?: RequestEmailVerificationV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Verify an email.
   *
   * Accepts a token for the user's email, or for the pending email, which then becomes the user's email. `--` in the
   * path of `/v1` refers to the user of the token. Event: `user.email.verified`.
   *
   * Requires an API key of level `write`.
   */
  verifyEmail(userId: string, user: VerifyEmailV1, options?: CallOptions): Answer<F, UserV1>
}

/** Creates the resource's functions from a function that calls the API. */
export const logins = <F extends Form>(call: Call<F>): LoginsV1<F> => ({
  authenticate: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/authenticate", query: ["expand"] }, [userId], body, options),
  authenticateCode: (userId, user, options) =>
    call.one(
      { route: "POST /v1/users/{user_id}/authenticate_code", wrapper: "user", query: ["expand"] },
      [userId],
      user,
      options
    ),
  authenticateKey: (body, options) =>
    call.one({ route: "POST /v1/users/authenticate_key", query: ["expand"] }, [], body, options),
  passkeyOptions: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/passkey_options" }, [userId], body, options),
  passkeyLoginOptions: (body, options) => call.one({ route: "POST /v1/users/passkey_options" }, [], body, options),
  authenticatePasskey: (user, options) =>
    call.one({ route: "POST /v1/users/authenticate_passkey", wrapper: "user", query: ["expand"] }, [], user, options),
  updatePassword: (userId, user, options) =>
    call.one({ route: "PUT /v1/users/{user_id}/update_password", wrapper: "user" }, [userId], user, options),
  sendCode: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/send_code" }, [userId], body, options),
  generatePasswordToken: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/generate_password_token" }, [userId], body, options),
  resetPasswordWithToken: (userId, user, options) =>
    call.one({ route: "POST /v1/users/{user_id}/reset_password_with_token", wrapper: "user" }, [userId], user, options),
  requestEmailVerification: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/request_email_verification" }, [userId], body, options),
  verifyEmail: (userId, user, options) =>
    call.one({ route: "POST /v1/users/{user_id}/verify_email", wrapper: "user" }, [userId], user, options)
})
