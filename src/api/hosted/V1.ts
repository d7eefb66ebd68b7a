/** The descriptions of the fields of hosted login (`v1.hosted`). */
export const fields = {
  username:
    "The user's username or email, ignoring case. Required unless `email` is sent. For a sign-up, required if the realm has usernames.",
  email: "The user's email, ignoring case. Required unless `username` is sent. For a sign-up, always required.",
  password: "The password. A new password has 8 to 512 characters, or a higher minimum if the realm sets one.",
  password_confirmation:
    "The new password again, which must match. Required for a sign-up if the app requires it; otherwise optional.",
  email_confirmation: "The email again, which must match. Optional.",
  current_password: "The current password.",
  token: "The token from an earlier response, an email or a login, depending on the operation.",
  code: "The code: six digits from an authenticator app or an email, or a recovery code.",
  response:
    "The result of `navigator.credentials.get()` with the token's challenge, as the JSON text of its `toJSON()`. After the result need_enrolment, a new passkey's result of `navigator.credentials.create()`.",
  login_token: "The token of a login whose result was need_mfa or need_enrolment.",
  first_name: "The user's first name, up to 255 characters. Required if the app requires names.",
  last_name: "The user's last name, up to 255 characters. Required if the app requires names.",
  state:
    "Printable text of at most 512 characters. It is returned as state with the token, so that an app can recognize the logins it started.",
  org_name:
    "The name of the org to create if the app's `signup_mode` is `user_org`, up to 255 characters. Required if the app requires it. Default: derived from the user's name."
} as const

/** The name of a field in a hosted login operation. */
export type FieldName = keyof typeof fields

/** An operation of hosted login: its path, its fields, and the members of its successful response. */
export interface HostedOperation {
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly takes: ReadonlyArray<FieldName>
  /** The members of the response, with their descriptions. */
  readonly responseMembers: Readonly<Record<string, string>>
}

const token = "The login token."
const url = "The app's handler with the token, and the state if one was sent, appended; null if the app has no handler."
const retry =
  "Only with `need_enrolment`: the data to set up an authenticator app, and whether a passkey can be created instead."
const message = "A message for the user."

/**
 * Hosted login, for untrusted clients (`v1.hosted`). Operations are on the host of a connected app, and are called by POST, or
 * by GET for JSONP. Every response has status 200; failures contain `error` and `errors`.
 */
export const hostedOperations = {
  login: {
    path: "/v1/login",
    summary: "Log in with a password",
    description:
      "If the user has a second factor, the result is need_mfa, with a token for verify_login. If the realm requires a second factor and the user has none, the result is need_enrolment, with the data to set up an authenticator app. To complete the login, send the app's first code to verify_login, or create a passkey with passkey_options and passkey_login.",
    takes: ["username", "email", "password", "state"],
    responseMembers: {
      result: "`okay`, `need_mfa` if a second factor is required, or `need_enrolment` if one must be set up.",
      token: "The login token, or a `kli_…` token that completes the login with a code within 10 minutes.",
      url,
      retry
    }
  },
  verifyLogin: {
    path: "/v1/verify_login",
    summary: "Complete a login with a code",
    description:
      "Accepts a code from an authenticator app, a recovery code or an emailed code. Allows five attempts per token. With a token from send_code, the username or email is required.",
    takes: ["username", "email", "token", "code", "state"],
    responseMembers: {
      result:
        "After an emailed code: `need_mfa` if a second factor is required, with its token, or `need_enrolment` if one must be set up; otherwise missing.",
      token,
      url,
      retry
    }
  },
  sendCode: {
    path: "/v1/send_code",
    summary: "Send a code by email",
    description:
      "Emails six digits for logging in, if the realm's `email_code` provider is active. The response is the same whether or not the account exists. With the token of a login that waits for a second factor, the code completes that login if the provider has `second_factor`.",
    takes: ["username", "email", "token"],
    responseMembers: { token: "The token for verify_login, which begins with `tec:`, or the token from the request." }
  },
  passkeyOptions: {
    path: "/v1/passkey_options",
    summary: "Start a login with a passkey",
    description:
      "Returns the options for `navigator.credentials.get()` on this page, which are the same for every user. With the token of a login that waits for a second factor, the options are only for the passkeys of its user. If the login must set up a second factor, the options are for creating a passkey with `navigator.credentials.create()`. The challenge is valid for 10 minutes and one response.",
    takes: ["token"],
    responseMembers: {
      token: "The token of the challenge, which begins with `tpk:`, for passkey_login.",
      options:
        "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3; for a new passkey, `PublicKeyCredentialCreationOptionsJSON`."
    }
  },
  passkeyLogin: {
    path: "/v1/passkey_login",
    summary: "Log in with a passkey",
    description:
      "Accepts the token from passkey_options. No username is needed, because the passkey identifies its user. If the authenticator did not verify the user and the user has a second factor, the result is need_mfa, as in a login with a password. With `login_token`, the passkey completes a login that waits for a second factor. If that login must set up a second factor, send the `response` of a new passkey, which is added to the user.",
    takes: ["token", "response", "login_token", "state"],
    responseMembers: {
      result: "`okay`, `need_mfa` if a second factor is required, or `need_enrolment` if one must be set up.",
      token: "The login token, or a `kli_…` token that completes the login with a code within 10 minutes.",
      url,
      retry
    }
  },
  logout: {
    path: "/v1/logout",
    summary: "Log out",
    description: "Ends the token's session. A POST without a token ends the cookie's session. The response is empty.",
    takes: ["token"],
    responseMembers: {}
  },
  checkSession: {
    path: "/v1/check_session",
    summary: "Check a session token",
    description: "Returns whether the token's session is still active. Only works if the realm's sessions are managed.",
    takes: ["token"],
    responseMembers: { valid: "Whether the session is active." }
  },
  forgotPassword: {
    path: "/v1/forgot_password",
    summary: "Request a password reset email",
    description: "The response is the same whether or not the account exists.",
    takes: ["username", "email"],
    responseMembers: { message }
  },
  resetPassword: {
    path: "/v1/reset_password",
    summary: "Reset a password with a token from an email",
    description: "Ends the user's sessions and does not log the user in.",
    takes: ["username", "email", "token", "password", "password_confirmation"],
    responseMembers: { message }
  },
  updatePassword: {
    path: "/v1/update_password",
    summary: "Change the current user's password",
    description: "Requires a login token and the current password. Ends the user's other sessions.",
    takes: ["token", "current_password", "password", "password_confirmation"],
    responseMembers: { message }
  },
  signup: {
    path: "/v1/signup",
    summary: "Sign up",
    description:
      "Returns a login whose url has signup=true, or a signup token, depending on the app's signup_mode. If the email must be verified first, returns a message, and the user continues from the email.",
    takes: [
      "username",
      "email",
      "email_confirmation",
      "password",
      "password_confirmation",
      "first_name",
      "last_name",
      "org_name",
      "state"
    ],
    responseMembers: {
      result: "`okay` for a login, `need_enrolment` if a second factor must be set up first; otherwise missing.",
      token: "The login token, or the signup token, which begins with `utk_` and is valid for 24 hours.",
      url,
      retry,
      message
    }
  },
  resendEmailToken: {
    path: "/v1/resend_email_token",
    summary: "Resend the verification email",
    description:
      "Sends the email if the user's email_verification is `requested`. The response is the same if it is not.",
    takes: ["username", "email"],
    responseMembers: { message }
  }
} as const satisfies Readonly<Record<string, HostedOperation>>

export type HostedOperationName = keyof typeof hostedOperations
