// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { LoginV1 } from "../types/LoginV1.ts"
import type { PasswordTokenV1 } from "../types/PasswordTokenV1.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { UserV1 } from "../types/UserV1.ts"

/** The parameters of `POST /v1/users/{user_id}/authenticate`. */
export interface AuthenticateV1 {
  /** The user's password. Required. */
  readonly password?: string | null | undefined
  /**
   * What else to include: any of these, repeated or separated by commas. What is always included may be named, too.
   * Default: nothing.
   */
  readonly expand?: ReadonlyArray<"memberships"> | "memberships" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/{user_id}/authenticate_code`. */
export interface AuthenticateWithCodeV1 {
  /** The token of the login, `kli_…`. Required. */
  readonly token?: string | null | undefined
  /** The six digits that the user's authenticator app shows. Required. */
  readonly code?: string | null | undefined
  /**
   * What else to include: any of these, repeated or separated by commas. What is always included may be named, too.
   * Default: nothing.
   */
  readonly expand?: ReadonlyArray<"memberships"> | "memberships" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/authenticate_key`. */
export interface AuthenticateWithKeyV1 {
  /** The API key of an active API user. Required. */
  readonly api_key?: string | null | undefined
  /**
   * What else to include: any of these, repeated or separated by commas. What is always included may be named, too.
   * Default: nothing.
   */
  readonly expand?: ReadonlyArray<"memberships"> | "memberships" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v1/users/{user_id}/update_password`. */
export interface UpdatePasswordV1 {
  /** The user's current password. Required. */
  readonly current_password?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or more than 8 where the realm says so; not a common one, and without the
   * names of the user and the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must be the same. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/{user_id}/generate_password_token`. */
export interface GeneratePasswordTokenV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/{user_id}/reset_password_with_token`. */
export interface ResetPasswordWithTokenV1 {
  /** The token, `kpw_…`. Required. */
  readonly token?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or more than 8 where the realm says so; not a common one, and without the
   * names of the user and the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must be the same. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/{user_id}/request_email_verification`. */
export interface RequestEmailVerificationV1 {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/users/{user_id}/verify_email`. */
export interface VerifyEmailV1 {
  /** The token, `tve:…` or `tue:…`. Required. */
  readonly token?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** Logins, passwords and e-mail verification. */
export interface LoginsV1<F extends Form> {
  /**
   * Authenticate with a password.
   *
   * Returns the user with a login `token` or, if the user has a second factor, with a token (`kli_`) to complete with
   * `authenticate_code` within 10 minutes. 401 if the password is wrong. Ten wrong passwords block the user for 15
   * minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticate(userId: string, body?: AuthenticateV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Complete a login with a code.
   *
   * 401 if the code is wrong, with five tries in all; 404 if the token is not valid or can no longer be used. Event:
   * `user.login.succeeded` or `user.login.failed`; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticateCode(userId: string, user: AuthenticateWithCodeV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Authenticate with an API key.
   *
   * For active API users. The token is valid for the realm's `api_key_minutes` and is not stored as a session. Event,
   * on the first login of a day: `user.login.succeeded`.
   *
   * Requires a key of level `write`.
   */
  authenticateKey(body?: AuthenticateWithKeyV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Change a password.
   *
   * Requires the current password. Ends the user's sessions, unless `keep_sessions` says otherwise (`/v2`). Events:
   * `user.updated`, `session.deleted` for each session; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  updatePassword(userId: string, user: UpdatePasswordV1, options?: CallOptions): Answer<F, void>
  /**
   * Generate a password token.
   *
   * For active human users. Valid for one new password within 60 minutes. Event, which contains the token:
   * `user.password.resetting` (`/v1`: `user.password_token.created`).
   *
   * Requires a key of level `write`.
   */
  generatePasswordToken(
    userId: string,
    body?: GeneratePasswordTokenV1,
    options?: CallOptions
  ): Answer<F, PasswordTokenV1>
  /**
   * Reset a password with a token.
   *
   * Ends the user's sessions and does not log the user in. `--` in the path means the user of the token. Events:
   * `user.password_token.consumed`, `session.deleted` for each session; or `user.password_token.failed`.
   *
   * Requires a key of level `write`.
   */
  resetPasswordWithToken(userId: string, user: ResetPasswordWithTokenV1, options?: CallOptions): Answer<F, UserV1>
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
  requestEmailVerification(userId: string, body?: RequestEmailVerificationV1, options?: CallOptions): Answer<F, LoginV1>
  /**
   * Verify an e-mail.
   *
   * Takes a token for the user's e-mail, or for the pending one, which then becomes the user's e-mail. `--` in the path
   * of `/v1` means the user of the token. Event: `user.email.verified`.
   *
   * Requires a key of level `write`.
   */
  verifyEmail(userId: string, user: VerifyEmailV1, options?: CallOptions): Answer<F, UserV1>
}

/** The functions of the resource, made of a way to call the API. */
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
  updatePassword: (userId, user, options) =>
    call.one({ route: "PUT /v1/users/{user_id}/update_password", wrapper: "user" }, [userId], user, options),
  generatePasswordToken: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/generate_password_token" }, [userId], body, options),
  resetPasswordWithToken: (userId, user, options) =>
    call.one({ route: "POST /v1/users/{user_id}/reset_password_with_token", wrapper: "user" }, [userId], user, options),
  requestEmailVerification: (userId, body, options) =>
    call.one({ route: "POST /v1/users/{user_id}/request_email_verification" }, [userId], body, options),
  verifyEmail: (userId, user, options) =>
    call.one({ route: "POST /v1/users/{user_id}/verify_email", wrapper: "user" }, [userId], user, options)
})
