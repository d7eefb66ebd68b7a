// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, CallOptions, Form, Redirect } from "../../Form.ts"
import type { HostedLoginFailure } from "../types/HostedLoginFailure.ts"
import type {
  HostedCheckSession,
  HostedCheckSessionResult,
  HostedForgotPassword,
  HostedForgotPasswordResult,
  HostedLogin,
  HostedLoginResult,
  HostedLogout,
  HostedPasskeyLogin,
  HostedPasskeyLoginResult,
  HostedPasskeyOptions,
  HostedPasskeyOptionsResult,
  HostedResendEmailToken,
  HostedResendEmailTokenResult,
  HostedResetPassword,
  HostedResetPasswordResult,
  HostedSendCode,
  HostedSendCodeResult,
  HostedSignup,
  HostedSignupResult,
  HostedStartSocialLogin,
  HostedUpdatePassword,
  HostedUpdatePasswordResult,
  HostedVerifyLogin,
  HostedVerifyLoginResult
} from "./HostedV1Types.ts"

/**
 * For untrusted clients, on the host of a connected app. Users authenticate with their own credentials, and no API key
 * is needed.
 * Bodies are JSON or form-encoded. Responses can be read by pages from the origins in the app's handlers,
 * `redirect_uris` and
 * `domains`; POST requests from other origins are rejected. Every operation also accepts GET, with a `callback` for
 * JSONP if the app
 * allows it. GET sets no cookies, and requires an origin of the app in `Referer`.
 *
 * Called on the host of a connected app: set `url` in the options or in the client to its URL.
 */
export interface HostedV1<F extends Form> {
  /**
   * Log in with a password.
   *
   * If the user has a second factor, the result is need_mfa, with a token for verify_login. If the realm requires a
   * second factor and the user has none, the result is need_enrolment, with the data to set up an authenticator app. To
   * complete the login, send the app's first code to verify_login, or create a passkey with passkey_options and
   * passkey_login.
   */
  login(body: HostedLogin, options?: CallOptions): Answer<F, HostedLoginResult | HostedLoginFailure>
  /**
   * Log in with a password (GET).
   *
   * If the user has a second factor, the result is need_mfa, with a token for verify_login. If the realm requires a
   * second factor and the user has none, the result is need_enrolment, with the data to set up an authenticator app. To
   * complete the login, send the app's first code to verify_login, or create a passkey with passkey_options and
   * passkey_login.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getLogin(query: HostedLogin, options?: CallOptions): Answer<F, HostedLoginResult | HostedLoginFailure>
  /**
   * Complete a login with a code.
   *
   * Accepts a code from an authenticator app, a recovery code or an emailed code. Allows five attempts per token. With
   * a token from send_code, the username or email is required.
   */
  verifyLogin(body: HostedVerifyLogin, options?: CallOptions): Answer<F, HostedVerifyLoginResult | HostedLoginFailure>
  /**
   * Complete a login with a code (GET).
   *
   * Accepts a code from an authenticator app, a recovery code or an emailed code. Allows five attempts per token. With
   * a token from send_code, the username or email is required.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getVerifyLogin(
    query: HostedVerifyLogin,
    options?: CallOptions
  ): Answer<F, HostedVerifyLoginResult | HostedLoginFailure>
  /**
   * Send a code by email.
   *
   * Emails six digits for logging in, if the realm's `email_code` provider is active. The response is the same whether
   * or not the account exists. With the token of a login that waits for a second factor, the code completes that login
   * if the provider has `second_factor`.
   */
  sendCode(body?: HostedSendCode, options?: CallOptions): Answer<F, HostedSendCodeResult | HostedLoginFailure>
  /**
   * Send a code by email (GET).
   *
   * Emails six digits for logging in, if the realm's `email_code` provider is active. The response is the same whether
   * or not the account exists. With the token of a login that waits for a second factor, the code completes that login
   * if the provider has `second_factor`.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getSendCode(query?: HostedSendCode, options?: CallOptions): Answer<F, HostedSendCodeResult | HostedLoginFailure>
  /**
   * Start a login with a passkey.
   *
   * Returns the options for `navigator.credentials.get()` on this page, which are the same for every user. With the
   * token of a login that waits for a second factor, the options are only for the passkeys of its user. If the login
   * must set up a second factor, the options are for creating a passkey with `navigator.credentials.create()`. The
   * challenge is valid for 10 minutes and one response.
   */
  passkeyOptions(
    body?: HostedPasskeyOptions,
    options?: CallOptions
  ): Answer<F, HostedPasskeyOptionsResult | HostedLoginFailure>
  /**
   * Start a login with a passkey (GET).
   *
   * Returns the options for `navigator.credentials.get()` on this page, which are the same for every user. With the
   * token of a login that waits for a second factor, the options are only for the passkeys of its user. If the login
   * must set up a second factor, the options are for creating a passkey with `navigator.credentials.create()`. The
   * challenge is valid for 10 minutes and one response.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getPasskeyOptions(
    query?: HostedPasskeyOptions,
    options?: CallOptions
  ): Answer<F, HostedPasskeyOptionsResult | HostedLoginFailure>
  /**
   * Log in with a passkey.
   *
   * Accepts the token from passkey_options. No username is needed, because the passkey identifies its user. If the
   * authenticator did not verify the user and the user has a second factor, the result is need_mfa, as in a login with
   * a password. With `login_token`, the passkey completes a login that waits for a second factor. If that login must
   * set up a second factor, send the `response` of a new passkey, which is added to the user.
   */
  passkeyLogin(
    body: HostedPasskeyLogin,
    options?: CallOptions
  ): Answer<F, HostedPasskeyLoginResult | HostedLoginFailure>
  /**
   * Log in with a passkey (GET).
   *
   * Accepts the token from passkey_options. No username is needed, because the passkey identifies its user. If the
   * authenticator did not verify the user and the user has a second factor, the result is need_mfa, as in a login with
   * a password. With `login_token`, the passkey completes a login that waits for a second factor. If that login must
   * set up a second factor, send the `response` of a new passkey, which is added to the user.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getPasskeyLogin(
    query: HostedPasskeyLogin,
    options?: CallOptions
  ): Answer<F, HostedPasskeyLoginResult | HostedLoginFailure>
  /**
   * Log out.
   *
   * Ends the token's session. A POST without a token ends the cookie's session. The response is empty.
   */
  logout(body?: HostedLogout, options?: CallOptions): Answer<F, HostedLoginFailure>
  /**
   * Log out (GET).
   *
   * Ends the token's session. A POST without a token ends the cookie's session. The response is empty.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getLogout(query?: HostedLogout, options?: CallOptions): Answer<F, HostedLoginFailure>
  /**
   * Check a session token.
   *
   * Returns whether the token's session is still active. Only works if the realm's sessions are managed.
   */
  checkSession(
    body: HostedCheckSession,
    options?: CallOptions
  ): Answer<F, HostedCheckSessionResult | HostedLoginFailure>
  /**
   * Check a session token (GET).
   *
   * Returns whether the token's session is still active. Only works if the realm's sessions are managed.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getCheckSession(
    query: HostedCheckSession,
    options?: CallOptions
  ): Answer<F, HostedCheckSessionResult | HostedLoginFailure>
  /**
   * Request a password reset email.
   *
   * The response is the same whether or not the account exists.
   */
  forgotPassword(
    body?: HostedForgotPassword,
    options?: CallOptions
  ): Answer<F, HostedForgotPasswordResult | HostedLoginFailure>
  /**
   * Request a password reset email (GET).
   *
   * The response is the same whether or not the account exists.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getForgotPassword(
    query?: HostedForgotPassword,
    options?: CallOptions
  ): Answer<F, HostedForgotPasswordResult | HostedLoginFailure>
  /**
   * Reset a password with a token from an email.
   *
   * Ends the user's sessions and does not log the user in.
   */
  resetPassword(
    body: HostedResetPassword,
    options?: CallOptions
  ): Answer<F, HostedResetPasswordResult | HostedLoginFailure>
  /**
   * Reset a password with a token from an email (GET).
   *
   * Ends the user's sessions and does not log the user in.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getResetPassword(
    query: HostedResetPassword,
    options?: CallOptions
  ): Answer<F, HostedResetPasswordResult | HostedLoginFailure>
  /**
   * Change the current user's password.
   *
   * Requires a login token and the current password. Ends the user's other sessions.
   */
  updatePassword(
    body: HostedUpdatePassword,
    options?: CallOptions
  ): Answer<F, HostedUpdatePasswordResult | HostedLoginFailure>
  /**
   * Change the current user's password (GET).
   *
   * Requires a login token and the current password. Ends the user's other sessions.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getUpdatePassword(
    query: HostedUpdatePassword,
    options?: CallOptions
  ): Answer<F, HostedUpdatePasswordResult | HostedLoginFailure>
  /**
   * Sign up.
   *
   * Returns a login whose url has signup=true, or a signup token, depending on the app's signup_mode. If the email must
   * be verified first, returns a message, and the user continues from the email.
   */
  signup(body?: HostedSignup, options?: CallOptions): Answer<F, HostedSignupResult | HostedLoginFailure>
  /**
   * Sign up (GET).
   *
   * Returns a login whose url has signup=true, or a signup token, depending on the app's signup_mode. If the email must
   * be verified first, returns a message, and the user continues from the email.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getSignup(query?: HostedSignup, options?: CallOptions): Answer<F, HostedSignupResult | HostedLoginFailure>
  /**
   * Resend the verification email.
   *
   * Sends the email if the user's email_verification is `requested`. The response is the same if it is not.
   */
  resendEmailToken(
    body?: HostedResendEmailToken,
    options?: CallOptions
  ): Answer<F, HostedResendEmailTokenResult | HostedLoginFailure>
  /**
   * Resend the verification email (GET).
   *
   * Sends the email if the user's email_verification is `requested`. The response is the same if it is not.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getResendEmailToken(
    query?: HostedResendEmailToken,
    options?: CallOptions
  ): Answer<F, HostedResendEmailTokenResult | HostedLoginFailure>
  /**
   * Start a social login.
   *
   * A link to open in a browser. The provider sends the browser back to the app's host, which redirects it to the app's
   * handler or to `redirect_uri`, with a token. The login must finish within 30 minutes and in the same browser.
   */
  startSocialLogin(provider: string, query?: HostedStartSocialLogin, options?: CallOptions): Answer<F, Redirect>
}
