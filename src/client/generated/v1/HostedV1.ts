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
 * For untrusted clients, on the host of a connected app. Users authenticate with their own credentials, without an API
 * key.
 * Bodies are JSON or form-encoded. Responses can be read by pages from the origins in the app's handlers,
 * `redirect_uris` and
 * `domains`; a POST from any other origin is refused. Every operation also accepts GET, with a `callback` for JSONP if
 * the app
 * allows it. GET sets no cookies, and a page of the app must send its origin in `Referer`.
 *
 * Called on the host of a connected app: set `url` in the options or in the client to its URL.
 */
export interface HostedV1<F extends Form> {
  /**
   * Log in with a password.
   *
   * If the user has a second factor, the result is need_mfa, with a token for verify_login. If the realm requires one
   * and the user has none, it is need_enrolment, with what sets up an authenticator app; its first code completes the
   * login by verify_login. So does a new passkey, by passkey_options and passkey_login.
   */
  login(body: HostedLogin, options?: CallOptions): Answer<F, HostedLoginResult | HostedLoginFailure>
  /**
   * Log in with a password (GET).
   *
   * If the user has a second factor, the result is need_mfa, with a token for verify_login. If the realm requires one
   * and the user has none, it is need_enrolment, with what sets up an authenticator app; its first code completes the
   * login by verify_login. So does a new passkey, by passkey_options and passkey_login.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getLogin(query: HostedLogin, options?: CallOptions): Answer<F, HostedLoginResult | HostedLoginFailure>
  /**
   * Complete a login with a code.
   *
   * Takes a code of an authenticator app, a recovery code or the code of an e-mail. Allows five tries in all with the
   * same token. With a token of send_code, the username or e-mail is required.
   */
  verifyLogin(body: HostedVerifyLogin, options?: CallOptions): Answer<F, HostedVerifyLoginResult | HostedLoginFailure>
  /**
   * Complete a login with a code (GET).
   *
   * Takes a code of an authenticator app, a recovery code or the code of an e-mail. Allows five tries in all with the
   * same token. With a token of send_code, the username or e-mail is required.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getVerifyLogin(
    query: HostedVerifyLogin,
    options?: CallOptions
  ): Answer<F, HostedVerifyLoginResult | HostedLoginFailure>
  /**
   * Send a code by e-mail.
   *
   * E-mails six digits to log in with, if the realm's `email_code` provider is active. The response is the same whether
   * or not the account exists. With the token of a login that waits for a second factor, the code completes that login,
   * if the provider has `second_factor`.
   */
  sendCode(body?: HostedSendCode, options?: CallOptions): Answer<F, HostedSendCodeResult | HostedLoginFailure>
  /**
   * Send a code by e-mail (GET).
   *
   * E-mails six digits to log in with, if the realm's `email_code` provider is active. The response is the same whether
   * or not the account exists. With the token of a login that waits for a second factor, the code completes that login,
   * if the provider has `second_factor`.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getSendCode(query?: HostedSendCode, options?: CallOptions): Answer<F, HostedSendCodeResult | HostedLoginFailure>
  /**
   * Begin a login with a passkey.
   *
   * Returns what `navigator.credentials.get()` takes on this page, the same for everybody. With the token of a login
   * that waits for a second factor, for the passkeys of its user alone; of one that has to set a second factor up, what
   * `navigator.credentials.create()` takes for a new passkey. The challenge is good for 10 minutes and one answer.
   */
  passkeyOptions(
    body?: HostedPasskeyOptions,
    options?: CallOptions
  ): Answer<F, HostedPasskeyOptionsResult | HostedLoginFailure>
  /**
   * Begin a login with a passkey (GET).
   *
   * Returns what `navigator.credentials.get()` takes on this page, the same for everybody. With the token of a login
   * that waits for a second factor, for the passkeys of its user alone; of one that has to set a second factor up, what
   * `navigator.credentials.create()` takes for a new passkey. The challenge is good for 10 minutes and one answer.
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
   * Takes the token of passkey_options. Needs no username: the passkey tells whose it is. If the authenticator did not
   * check who used it and the user has a second factor, the result is need_mfa, as of a login with a password. With
   * `login_token`, it completes the login that waits for a second factor, or has to set one up: then `response` is that
   * of a new passkey, which is the user's from then on.
   */
  passkeyLogin(
    body: HostedPasskeyLogin,
    options?: CallOptions
  ): Answer<F, HostedPasskeyLoginResult | HostedLoginFailure>
  /**
   * Log in with a passkey (GET).
   *
   * Takes the token of passkey_options. Needs no username: the passkey tells whose it is. If the authenticator did not
   * check who used it and the user has a second factor, the result is need_mfa, as of a login with a password. With
   * `login_token`, it completes the login that waits for a second factor, or has to set one up: then `response` is that
   * of a new passkey, which is the user's from then on.
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
   * Ends the token's session or, for a POST without a token, the cookie's session. The response is empty.
   */
  logout(body?: HostedLogout, options?: CallOptions): Answer<F, HostedLoginFailure>
  /**
   * Log out (GET).
   *
   * Ends the token's session or, for a POST without a token, the cookie's session. The response is empty.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getLogout(query?: HostedLogout, options?: CallOptions): Answer<F, HostedLoginFailure>
  /**
   * Check a session token.
   *
   * Says whether the token's session is still active. The realm's sessions must be managed.
   */
  checkSession(
    body: HostedCheckSession,
    options?: CallOptions
  ): Answer<F, HostedCheckSessionResult | HostedLoginFailure>
  /**
   * Check a session token (GET).
   *
   * Says whether the token's session is still active. The realm's sessions must be managed.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getCheckSession(
    query: HostedCheckSession,
    options?: CallOptions
  ): Answer<F, HostedCheckSessionResult | HostedLoginFailure>
  /**
   * Request a password reset e-mail.
   *
   * The response is the same whether or not the account exists.
   */
  forgotPassword(
    body?: HostedForgotPassword,
    options?: CallOptions
  ): Answer<F, HostedForgotPasswordResult | HostedLoginFailure>
  /**
   * Request a password reset e-mail (GET).
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
   * Reset a password with a token from an e-mail.
   *
   * Ends the user's sessions and does not log the user in.
   */
  resetPassword(
    body: HostedResetPassword,
    options?: CallOptions
  ): Answer<F, HostedResetPasswordResult | HostedLoginFailure>
  /**
   * Reset a password with a token from an e-mail (GET).
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
   * Takes a login token and the current password. Ends the user's other sessions.
   */
  updatePassword(
    body: HostedUpdatePassword,
    options?: CallOptions
  ): Answer<F, HostedUpdatePasswordResult | HostedLoginFailure>
  /**
   * Change the current user's password (GET).
   *
   * Takes a login token and the current password. Ends the user's other sessions.
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
   * Depending on the app's signup_mode, returns a login whose url has signup=true, or a signup token. If e-mails are
   * verified first, returns a message, and the user continues from the e-mail.
   */
  signup(body?: HostedSignup, options?: CallOptions): Answer<F, HostedSignupResult | HostedLoginFailure>
  /**
   * Sign up (GET).
   *
   * Depending on the app's signup_mode, returns a login whose url has signup=true, or a signup token. If e-mails are
   * verified first, returns a message, and the user continues from the e-mail.
   *
   * For scripts on other sites: neither sets nor reads cookies.
   */
  getSignup(query?: HostedSignup, options?: CallOptions): Answer<F, HostedSignupResult | HostedLoginFailure>
  /**
   * Resend the verification e-mail.
   *
   * Sent if the user's email_verification is requested. The response is the same if it is not.
   */
  resendEmailToken(
    body?: HostedResendEmailToken,
    options?: CallOptions
  ): Answer<F, HostedResendEmailTokenResult | HostedLoginFailure>
  /**
   * Resend the verification e-mail (GET).
   *
   * Sent if the user's email_verification is requested. The response is the same if it is not.
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
   * A link for browsers. The provider sends the browser back to the app's host, which redirects it with a token to the
   * app's handler or to `redirect_uri`. The login must finish within 30 minutes and in the same browser.
   */
  startSocialLogin(provider: string, query?: HostedStartSocialLogin, options?: CallOptions): Answer<F, Redirect>
}
