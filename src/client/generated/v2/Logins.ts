// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { PasskeyCreationChallenge } from "../types/PasskeyCreationChallenge.ts"
import type { PasskeyLoginChallenge } from "../types/PasskeyLoginChallenge.ts"
import type { SentMail } from "../types/SentMail.ts"
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
  SendEmailVerification,
  SendPasswordReset,
  UpdatePassword,
  UpdateProfile,
  VerifyEmail
} from "./LoginsTypes.ts"

/** Logins, passwords and email verification. */
export interface Logins<F extends Form> {
  /**
   * Authenticate with a password.
   *
   * Returns a session. If the user has a second factor, returns a token instead, and `authenticate_token` completes the
   * login within 10 minutes. Returns 422 if the login fails. `params.reason` in `error_details` contains the reason,
   * such as `wrong_password` or `user_inactive`, which is not meant for the person logging in. Ten wrong passwords
   * block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`;
   * `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  authenticate(userId: string, user: Authenticate, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Complete a login with a code.
   *
   * Accepts a code from an authenticator app, a recovery code or, with a token from `send_code`, the digits in the
   * email. After an emailed code, a second factor may still be required, as after a password. Five attempts are
   * allowed. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.recovery_code.used`,
   * `user.email.verified`, `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  authenticateToken(user: AuthenticateWithToken, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Start to register a passkey.
   *
   * Returns the options for `navigator.credentials.create()`, and a token that is valid for 10 minutes. To register the
   * passkey, create a credential of type `passkey` with the token and the authenticator's response. A user can have up
   * to 20 passkeys.
   *
   * Requires an API key of level `write`.
   */
  passkeyOptions(userId: string, body?: PasskeyOptions, options?: CallOptions): Answer<F, PasskeyCreationChallenge>
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
    body?: PasskeyLoginOptions,
    options?: CallOptions
  ): Answer<F, PasskeyLoginChallenge | PasskeyCreationChallenge>
  /**
   * Authenticate with a passkey.
   *
   * Returns a session. If the authenticator didn't verify the user and the user has a second factor, returns a token
   * instead, and `authenticate_token` completes the login. With `login_token`, the passkey completes a login that waits
   * for a second factor. If `retry` contains `passkeys`, a new passkey can be set up as the second factor. Rejected
   * passkeys never block a user. Events: `user.login.succeeded` or `user.login.initiated`; `user.login.failed` of the
   * passkey's owner; `user.updated` for a new passkey.
   *
   * Requires an API key of level `write`.
   */
  authenticatePasskey(user: AuthenticatePasskey, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Send a code by email.
   *
   * Emails six digits and a link to an active human user, if the auth provider `email_code` is active. Returns a token
   * for `authenticate_token`. With the digits, it logs the user in and verifies the email, within 10 minutes and five
   * attempts. With the token of a login that waits for a second factor, the code completes that login instead, if the
   * provider has `second_factor` and the email is verified. Returns 429 after 3 emails in a minute or 10 in an hour.
   * Event, which contains the token of the link: `user.email_code.requested`.
   *
   * Requires an API key of level `write`.
   */
  sendCode(userId: string, body?: SendCode, options?: CallOptions): Answer<F, Token>
  /**
   * Generate a password token.
   *
   * For active human users. The token is valid for 60 minutes and one new password. Event, which contains the token:
   * `user.password.resetting` (`/v1`: `user.password_token.created`).
   *
   * Requires an API key of level `write`.
   */
  generatePasswordToken(userId: string, body?: GeneratePasswordToken, options?: CallOptions): Answer<F, Token>
  /**
   * Send a password reset email.
   *
   * Emails an active human user a link to set a new password, valid for 60 minutes. Only the email contains its token.
   * Returns 422 if the user has no email, the realm has no password login, no active email template or webhook sends
   * the email, or the service has no mail server; 429 after 3 emails in a minute or 10 in an hour. Event:
   * `user.password.resetting`.
   *
   * Requires an API key of level `write`.
   */
  sendPasswordReset(userId: string, body?: SendPasswordReset, options?: CallOptions): Answer<F, SentMail>
  /**
   * Send a verification email.
   *
   * Emails an active human user a link, valid for 24 hours, that verifies the user's email or, if that is already
   * verified, the pending email. Only the email contains its token. Returns 422 if there is nothing to verify, no
   * active email template or webhook sends the email, or the service has no mail server; 429 after 3 emails in a minute
   * or 10 in an hour. Events: `user.updated` the first time; `user.email.verifying` or `user.email.updating`.
   *
   * Requires an API key of level `write`.
   */
  sendEmailVerification(userId: string, body?: SendEmailVerification, options?: CallOptions): Answer<F, SentMail>
  /**
   * Reset a password with a token.
   *
   * Ends the user's sessions and logs the user in. If a second factor is required, returns a token to complete the
   * login. Events: `user.password_token.consumed`, `session.deleted` for each session, and the events of the login; or
   * `user.password_token.failed`.
   *
   * Requires an API key of level `write`.
   */
  resetPasswordWithToken(user: ResetPasswordWithToken, options?: CallOptions): Answer<F, Session | Token>
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
  requestEmailVerification(userId: string, body?: RequestEmailVerification, options?: CallOptions): Answer<F, Token>
  /**
   * Verify an email.
   *
   * Accepts a token for the user's email, or for the pending email, which then becomes the user's email. `--` in the
   * path of `/v1` refers to the user of the token. Event: `user.email.verified`.
   *
   * Requires an API key of level `write`.
   */
  verifyEmail(user: VerifyEmail, options?: CallOptions): Answer<F, User>
  /**
   * Change a password.
   *
   * Requires the current password. Ends the user's sessions, unless `keep_sessions` is true (`/v2`). Events:
   * `user.updated`, `session.deleted` for each session; `user.blocked`.
   *
   * Requires an API key of level `write`.
   */
  updatePassword(userId: string, user: UpdatePassword, options?: CallOptions): Answer<F, User>
  /**
   * Update a profile.
   *
   * For changes that users make themselves. Changes only the members you send. A new email is stored in `email_pending`
   * until it is verified. Events: `user.profile.updated`; `user.email.updating`; with a new password, `session.deleted`
   * for each session.
   *
   * Requires an API key of level `write`.
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
  sendPasswordReset: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/send_password_reset" }, [userId], body, options),
  sendEmailVerification: (userId, body, options) =>
    call.one({ route: "POST /v2/users/{user_id}/send_email_verification" }, [userId], body, options),
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
