// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { PasskeyCreationChallenge } from "../types/PasskeyCreationChallenge.ts"
import type { PasskeyLoginChallenge } from "../types/PasskeyLoginChallenge.ts"
import type { Session } from "../types/Session.ts"
import type { Token } from "../types/Token.ts"
import type { User } from "../types/User.ts"
import type {
  Authenticate,
  AuthenticatePasskey,
  AuthenticateWithToken,
  GeneratePasswordToken,
  PasskeyLoginOptions,
  PasskeyOptions,
  RequestEmailVerification,
  ResetPasswordWithToken,
  SendCode,
  UpdatePassword,
  UpdateProfile,
  VerifyEmail
} from "./LoginsTypes.ts"

/** Logins, passwords and e-mail verification. */
export interface Logins<F extends Form> {
  /**
   * Authenticate with a password.
   *
   * Returns a session or, if the user has a second factor, a token to complete with `authenticate_token` within 10
   * minutes. 422 if the login fails; `params.reason` in `error_details` says why, such as `wrong_password` or
   * `user_inactive`, and is not for the person who logs in. Ten wrong passwords block the user for 15 minutes. Events:
   * `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticate(userId: string, user: Authenticate, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Complete a login with a code.
   *
   * Takes a code of an authenticator app, a recovery code or, for the token of `send_code`, the digits in the e-mail;
   * after those, a second factor may still be due, as after a password. Allows five tries in all. Events:
   * `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.recovery_code.used`,
   * `user.email.verified`, `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticateToken(user: AuthenticateWithToken, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Begin to register a passkey.
   *
   * Returns the options for `navigator.credentials.create()`, and a token for 10 minutes. Then create a credential of
   * type `passkey` with the token and the answer. A user can have 20.
   *
   * Requires a key of level `write`.
   */
  passkeyOptions(userId: string, body?: PasskeyOptions, options?: CallOptions): Answer<F, PasskeyCreationChallenge>
  /**
   * Begin a login with a passkey.
   *
   * Returns the options for `navigator.credentials.get()`, and a token for 10 minutes. They name no user, and are the
   * same for everybody: the person chooses a passkey, also in the autofill of the login form. With the token of a login
   * that waits for a second factor they are for its user's passkeys; where `retry` says `passkeys`, for a new one, by
   * `navigator.credentials.create()`.
   *
   * Requires a key of level `write`.
   */
  passkeyLoginOptions(
    body?: PasskeyLoginOptions,
    options?: CallOptions
  ): Answer<F, PasskeyLoginChallenge | PasskeyCreationChallenge>
  /**
   * Authenticate with a passkey.
   *
   * Returns a session. Where the authenticator didn't check who used it and the user has a second factor, returns a
   * token to complete with `authenticate_token`. With `login_token` the passkey completes a login that waits for a
   * second factor; a new one sets it up, where `retry` says `passkeys`. Refused passkeys block nobody. Events:
   * `user.login.succeeded` or `user.login.initiated`; `user.login.failed` of the passkey's owner; `user.updated` for a
   * new passkey.
   *
   * Requires a key of level `write`.
   */
  authenticatePasskey(user: AuthenticatePasskey, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Send a code by e-mail.
   *
   * E-mails six digits and a link to an active human user, if the auth provider `email_code` is active. Returns a token
   * that, with the digits, logs the user in (`authenticate_token`) within 10 minutes and five tries, and verifies the
   * e-mail. With the token of a login that waits for a second factor, the code completes that login instead, if the
   * provider has `second_factor` and the e-mail is verified. 429 above 3 e-mails a minute or 10 an hour. Event, which
   * contains the token of the link: `user.email_code.requested`.
   *
   * Requires a key of level `write`.
   */
  sendCode(userId: string, body?: SendCode, options?: CallOptions): Answer<F, Token>
  /**
   * Generate a password token.
   *
   * For active human users. Valid for one new password within 60 minutes. Event, which contains the token:
   * `user.password.resetting` (`/v1`: `user.password_token.created`).
   *
   * Requires a key of level `write`.
   */
  generatePasswordToken(userId: string, body?: GeneratePasswordToken, options?: CallOptions): Answer<F, Token>
  /**
   * Reset a password with a token.
   *
   * Ends the user's sessions and logs the user in; if a second factor is due, returns a token to complete the login.
   * Events: `user.password_token.consumed`, `session.deleted` for each session, and those of the login; or
   * `user.password_token.failed`.
   *
   * Requires a key of level `write`.
   */
  resetPasswordWithToken(user: ResetPasswordWithToken, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Request e-mail verification.
   *
   * Returns a token, valid for 24 hours, that verifies the user's e-mail (`tve:`) or, if that is already verified, the
   * pending one (`tue:`). Events: `user.updated` the first time; `user.email.verifying` (`/v1`:
   * `user.email.verification_requested`) or `user.email.updating`, which contain another token, to be sent by e-mail.
   * The hosted login pages accept only that one.
   *
   * Requires a key of level `write`.
   */
  requestEmailVerification(userId: string, body?: RequestEmailVerification, options?: CallOptions): Answer<F, Token>
  /**
   * Verify an e-mail.
   *
   * Takes a token for the user's e-mail, or for the pending one, which then becomes the user's e-mail. `--` in the path
   * of `/v1` means the user of the token. Event: `user.email.verified`.
   *
   * Requires a key of level `write`.
   */
  verifyEmail(user: VerifyEmail, options?: CallOptions): Answer<F, User>
  /**
   * Change a password.
   *
   * Requires the current password. Ends the user's sessions, unless `keep_sessions` says otherwise (`/v2`). Events:
   * `user.updated`, `session.deleted` for each session; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  updatePassword(userId: string, user: UpdatePassword, options?: CallOptions): Answer<F, User>
  /**
   * Update a profile.
   *
   * For changes that users make themselves. Changes only the members sent; a new e-mail goes to `email_pending`.
   * Events: `user.profile.updated`; `user.email.updating`; with a new password, `session.deleted` for each session.
   *
   * Requires a key of level `write`.
   */
  updateProfile(userId: string, user: UpdateProfile, options?: CallOptions): Answer<F, User>
}

/** Creates the resource's functions from a function that calls the API. */
export const logins = <F extends Form>(call: Call<F>): Logins<F> => ({
  authenticate: (userId, user, options) =>
    call.one({ route: "POST /v2/users/{user_id}/authenticate", wrapper: "user" }, [userId], user, options),
  authenticateToken: (user, options) =>
    call.one({ route: "POST /v2/users/authenticate_token", wrapper: "user" }, [], user, options),
  passkeyOptions: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/passkey_options" }, [userId], body, options),
  passkeyLoginOptions: (body, options) => call.one({ route: "POST /v2/users/passkey_options" }, [], body, options),
  authenticatePasskey: (user, options) =>
    call.one({ route: "POST /v2/users/authenticate_passkey", wrapper: "user" }, [], user, options),
  sendCode: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/send_code" }, [userId], body, options),
  generatePasswordToken: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/generate_password_token" }, [userId], body, options),
  resetPasswordWithToken: (user, options) =>
    call.one({ route: "POST /v2/users/reset_password_with_token", wrapper: "user" }, [], user, options),
  requestEmailVerification: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/request_email_verification" }, [userId], body, options),
  verifyEmail: (user, options) =>
    call.one({ route: "POST /v2/users/verify_email", wrapper: "user" }, [], user, options),
  updatePassword: (userId, user, options) =>
    call.one({ route: "PUT /v2/users/{user_id}/update_password", wrapper: "user" }, [userId], user, options),
  updateProfile: (userId, user, options) =>
    call.one({ route: "PUT /v2/users/{user_id}/profile", wrapper: "user" }, [userId], user, options)
})
