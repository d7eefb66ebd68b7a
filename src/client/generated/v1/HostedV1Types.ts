// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { LoginRetry } from "../types/LoginRetry.ts"
import type { PasskeyCreationOptions } from "../types/PasskeyCreationOptions.ts"
import type { PasskeyRequestOptions } from "../types/PasskeyRequestOptions.ts"

/** The response of `POST /v1/login`. */
export interface HostedLoginResult {
  /** `okay`, `need_mfa` if a second factor is required, or `need_enrolment` if one must be set up. */
  readonly result?: string
  /** The login token, or a `kli_…` token that completes the login with a code within 10 minutes. */
  readonly token?: string
  /** The app's handler with the token, and the state if one was sent, appended; null if the app has no handler. */
  readonly url?: string | null
  /**
   * Only with `need_enrolment`: the data to set up an authenticator app, and whether a passkey can be created instead.
   */
  readonly retry?: LoginRetry
}

/** The parameters of `POST /v1/login`. */
export interface HostedLogin {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
  /** The password. A new password has 8 to 512 characters, or a higher minimum if the realm sets one. */
  readonly password: string
  /**
   * Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the
   * logins it started.
   */
  readonly state?: string | undefined
}

/** The response of `POST /v1/verify_login`. */
export interface HostedVerifyLoginResult {
  /**
   * After an emailed code: `need_mfa` if a second factor is required, with its token, or `need_enrolment` if one must
   * be set up; otherwise missing.
   */
  readonly result?: string
  /** The login token. */
  readonly token?: string
  /** The app's handler with the token, and the state if one was sent, appended; null if the app has no handler. */
  readonly url?: string | null
  /**
   * Only with `need_enrolment`: the data to set up an authenticator app, and whether a passkey can be created instead.
   */
  readonly retry?: LoginRetry
}

/** The parameters of `POST /v1/verify_login`. */
export interface HostedVerifyLogin {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token: string
  /** The code: six digits from an authenticator app or an email, or a recovery code. */
  readonly code: string
  /**
   * Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the
   * logins it started.
   */
  readonly state?: string | undefined
}

/** The response of `POST /v1/send_code`. */
export interface HostedSendCodeResult {
  /** The token for verify_login, which begins with `tec:`, or the token from the request. */
  readonly token?: string
}

/** The parameters of `POST /v1/send_code`. */
export interface HostedSendCode {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token?: string | undefined
}

/** The response of `POST /v1/passkey_options`. */
export interface HostedPasskeyOptionsResult {
  /** The token of the challenge, which begins with `tpk:`, for passkey_login. */
  readonly token?: string
  /**
   * `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3; for a new passkey,
   * `PublicKeyCredentialCreationOptionsJSON`.
   */
  readonly options?: PasskeyRequestOptions | PasskeyCreationOptions
}

/** The parameters of `POST /v1/passkey_options`. */
export interface HostedPasskeyOptions {
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token?: string | undefined
}

/** The response of `POST /v1/passkey_login`. */
export interface HostedPasskeyLoginResult {
  /** `okay`, `need_mfa` if a second factor is required, or `need_enrolment` if one must be set up. */
  readonly result?: string
  /** The login token, or a `kli_…` token that completes the login with a code within 10 minutes. */
  readonly token?: string
  /** The app's handler with the token, and the state if one was sent, appended; null if the app has no handler. */
  readonly url?: string | null
  /**
   * Only with `need_enrolment`: the data to set up an authenticator app, and whether a passkey can be created instead.
   */
  readonly retry?: LoginRetry
}

/** The parameters of `POST /v1/passkey_login`. */
export interface HostedPasskeyLogin {
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token: string
  /**
   * The result of `navigator.credentials.get()` with the token's challenge, as the JSON text of its `toJSON()`. After
   * the result need_enrolment, a new passkey's result of `navigator.credentials.create()`.
   */
  readonly response: string
  /** The token of a login whose result was need_mfa or need_enrolment. */
  readonly login_token?: string | undefined
  /**
   * Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the
   * logins it started.
   */
  readonly state?: string | undefined
}

/** The parameters of `POST /v1/logout`. */
export interface HostedLogout {
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token?: string | undefined
}

/** The response of `POST /v1/check_session`. */
export interface HostedCheckSessionResult {
  /** Whether the session is active. */
  readonly valid?: boolean
}

/** The parameters of `POST /v1/check_session`. */
export interface HostedCheckSession {
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token: string
}

/** The response of `POST /v1/forgot_password`. */
export interface HostedForgotPasswordResult {
  /** A message for the user. */
  readonly message?: string
}

/** The parameters of `POST /v1/forgot_password`. */
export interface HostedForgotPassword {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
}

/** The response of `POST /v1/reset_password`. */
export interface HostedResetPasswordResult {
  /** A message for the user. */
  readonly message?: string
}

/** The parameters of `POST /v1/reset_password`. */
export interface HostedResetPassword {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token: string
  /** The password. A new password has 8 to 512 characters, or a higher minimum if the realm sets one. */
  readonly password: string
  /** The new password again, which must match. Required for a sign-up if the app requires it; otherwise optional. */
  readonly password_confirmation?: string | undefined
}

/** The response of `POST /v1/update_password`. */
export interface HostedUpdatePasswordResult {
  /** A message for the user. */
  readonly message?: string
}

/** The parameters of `POST /v1/update_password`. */
export interface HostedUpdatePassword {
  /** The token from an earlier response, an email or a login, depending on the operation. */
  readonly token: string
  /** The current password. */
  readonly current_password: string
  /** The password. A new password has 8 to 512 characters, or a higher minimum if the realm sets one. */
  readonly password: string
  /** The new password again, which must match. Required for a sign-up if the app requires it; otherwise optional. */
  readonly password_confirmation?: string | undefined
}

/** The response of `POST /v1/signup`. */
export interface HostedSignupResult {
  /** `okay` for a login, `need_enrolment` if a second factor must be set up first; otherwise missing. */
  readonly result?: string
  /** The login token, or the signup token, which begins with `utk_` and is valid for 24 hours. */
  readonly token?: string
  /** The app's handler with the token, and the state if one was sent, appended; null if the app has no handler. */
  readonly url?: string | null
  /**
   * Only with `need_enrolment`: the data to set up an authenticator app, and whether a passkey can be created instead.
   */
  readonly retry?: LoginRetry
  /** A message for the user. */
  readonly message?: string
}

/** The parameters of `POST /v1/signup`. */
export interface HostedSignup {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
  /** The email again, which must match. Optional. */
  readonly email_confirmation?: string | undefined
  /** The password. A new password has 8 to 512 characters, or a higher minimum if the realm sets one. */
  readonly password?: string | undefined
  /** The new password again, which must match. Required for a sign-up if the app requires it; otherwise optional. */
  readonly password_confirmation?: string | undefined
  /** The user's first name, up to 255 characters. Required if the app requires names. */
  readonly first_name?: string | undefined
  /** The user's last name, up to 255 characters. Required if the app requires names. */
  readonly last_name?: string | undefined
  /**
   * The name of the org to create if the app's `signup_mode` is `user_org`, up to 255 characters. Required if the app
   * requires it. Default: derived from the user's name.
   */
  readonly org_name?: string | undefined
  /**
   * Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the
   * logins it started.
   */
  readonly state?: string | undefined
}

/** The response of `POST /v1/resend_email_token`. */
export interface HostedResendEmailTokenResult {
  /** A message for the user. */
  readonly message?: string
}

/** The parameters of `POST /v1/resend_email_token`. */
export interface HostedResendEmailToken {
  /**
   * The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm
   * has usernames.
   */
  readonly username?: string | undefined
  /** The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required. */
  readonly email?: string | undefined
}

/** The parameters of `GET /auth/{provider}`. */
export interface HostedStartSocialLogin {
  /** The URL to redirect the user to afterwards. It must be one of the app's own URLs. */
  readonly redirect_uri?: string | undefined
  /**
   * Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the
   * logins it started.
   */
  readonly state?: string | undefined
  /** The token of an invitation to accept with this login. */
  readonly invitation?: string | undefined
}
