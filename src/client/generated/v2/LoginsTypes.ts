// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyCreationResponse } from "../types/PasskeyCreationResponse.ts"
import type { PasskeyLoginResponse } from "../types/PasskeyLoginResponse.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `POST /v2/users/{user_id}/authenticate`. */
export interface Authenticate {
  /** The user's password. Required. */
  readonly password?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/authenticate_token`. */
export interface AuthenticateWithToken {
  /** The token of the login (`tmf:…`) or of an emailed code (`tec:…`). Required. */
  readonly token?: string | null | undefined
  /**
   * The six digits that the user's authenticator app shows, a recovery code, or the six digits of an emailed code.
   * Required.
   */
  readonly code?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/passkey_options`. */
export interface PasskeyOptions {
  /** The page that requests the passkey. */
  readonly user?:
    | {
        /**
         * The origin of the page that requests the passkey, such as `https://app.example.com`. It must be the origin of an
         * active connected app's login host, handler or redirect URI. Default: the login host of the realm's oldest active
         * app.
         */
        readonly origin?: string | null | undefined
      }
    | null
    | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/passkey_options`. */
export interface PasskeyLoginOptions {
  /** The page that requests the passkey, and the login. */
  readonly user?:
    | {
        /**
         * The origin of the page that requests the passkey, such as `https://app.example.com`. It must be the origin of an
         * active connected app's login host, handler or redirect URI. Default: the login host of the realm's oldest active
         * app.
         */
        readonly origin?: string | null | undefined
        /**
         * The token of a login that waits for a second factor. The options are then for the passkeys of its user, or for a
         * new passkey if `retry` allows creating one. Default: the options start a login of any user.
         */
        readonly token?: string | null | undefined
      }
    | null
    | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/authenticate_passkey`. */
export interface AuthenticatePasskey {
  /** The token returned by `passkey_options`, `tpk:…`. Required. */
  readonly token?: string | null | undefined
  /**
   * The result of `navigator.credentials.get()`, as its `toJSON()`. For a login that sets up a passkey, the result of
   * `create()`. Required.
   */
  readonly response?: PasskeyLoginResponse | PasskeyCreationResponse | null | undefined
  /**
   * The token of a login that waits for a second factor, to complete it with the passkey. Default: the passkey starts a
   * login.
   */
  readonly login_token?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/send_code`. */
export interface SendCode {
  /** The purpose of the code. */
  readonly user?:
    | {
        /**
         * The token of a login that waits for a second factor, to complete it with the code. Default: the code starts a
         * login.
         */
        readonly token?: string | null | undefined
      }
    | null
    | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/generate_password_token`. */
export interface GeneratePasswordToken {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/send_password_reset`. */
export interface SendPasswordReset {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/send_email_verification`. */
export interface SendEmailVerification {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/reset_password_with_token`. */
export interface ResetPasswordWithToken {
  /** The token, `tpw:…`. Required. */
  readonly token?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/users/{user_id}/request_email_verification`. */
export interface RequestEmailVerification {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
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
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/users/{user_id}/update_password`. */
export interface UpdatePassword {
  /** The user's current password. Required. */
  readonly current_password?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /** Whether the user's sessions continue. Default: false. */
  readonly keep_sessions?: boolean | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/users/{user_id}/profile`. */
export interface UpdateProfile {
  /** A new email, which replaces the current one once it is verified through an email sent to it. */
  readonly email?: string | null | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Under `/v1`, it is required for people and generated for API
   * users by default. Default: none.
   */
  readonly username?: string | null | undefined
  /** The preferred locale of emails and pages, such as `en`. Default: the realm's. */
  readonly locale?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}
