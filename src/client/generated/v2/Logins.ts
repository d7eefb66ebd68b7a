// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { Session } from "../types/Session.ts"
import type { Token } from "../types/Token.ts"
import type { User } from "../types/User.ts"

/** The parameters of `POST /v2/users/{user_id}/authenticate`. */
export interface Authenticate {
  /** The user's password. Required. */
  readonly password?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/authenticate_token`. */
export interface AuthenticateWithToken {
  /** The token of the login, `tmf:…`. Required. */
  readonly token?: string | null | undefined
  /** The six digits that the user's authenticator app shows. Required. */
  readonly code?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/generate_password_token`. */
export interface GeneratePasswordToken {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/reset_password_with_token`. */
export interface ResetPasswordWithToken {
  /** The token, `tpw:…`. Required. */
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

/** The parameters of `POST /v2/users/{user_id}/request_email_verification`. */
export interface RequestEmailVerification {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/verify_email`. */
export interface VerifyEmail {
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

/** The parameters of `PUT /v2/users/{user_id}/update_password`. */
export interface UpdatePassword {
  /** The user's current password. Required. */
  readonly current_password?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or more than 8 where the realm says so; not a common one, and without the
   * names of the user and the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must be the same. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /** Whether the user's sessions go on. Default: false. */
  readonly keep_sessions?: boolean | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/users/{user_id}/profile`. */
export interface UpdateProfile {
  /** A new e-mail, which replaces the current one once it is verified by a mail to it. */
  readonly email?: string | null | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /**
   * The username, unique in the realm whatever its case. It may contain spaces; people who sign up themselves choose
   * one without. Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and
   * generated for API users.
   */
  readonly username?: string | null | undefined
  /** The preferred locale of mails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
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

/** Logins, passwords and e-mail verification. */
export interface Logins<F extends Form> {
  /**
   * Authenticate with a password.
   *
   * Returns a session or, if the user has a second factor, a token to complete with `authenticate_token` within 10
   * minutes. Ten wrong passwords block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated`
   * or `user.login.failed`; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticate(userId: string, user: Authenticate, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Complete a login with a code.
   *
   * Allows five tries in all. Event: `user.login.succeeded` or `user.login.failed`; `user.blocked`.
   *
   * Requires a key of level `write`.
   */
  authenticateToken(user: AuthenticateWithToken, options?: CallOptions): Answer<F, Session>
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

/** The functions of the resource, made of a way to call the API. */
export const logins = <F extends Form>(call: Call<F>): Logins<F> => ({
  authenticate: (userId, user, options) =>
    call.one({ route: "POST /v2/users/{user_id}/authenticate", wrapper: "user" }, [userId], user, options),
  authenticateToken: (user, options) =>
    call.one({ route: "POST /v2/users/authenticate_token", wrapper: "user" }, [], user, options),
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
