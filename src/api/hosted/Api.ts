/** What a field of hosted login is (api-v1 section 2, "Hosted login API fields"). */
export const fields = {
  username: "Username or e-mail of the person. Needed where the realm has usernames.",
  email: "E-mail of the person. Needed where e-mails take the place of usernames.",
  password: "The password.",
  password_confirmation: "The password once more: must be the same where it is given.",
  email_confirmation: "The e-mail once more: must be the same where it is given.",
  current_password: "The password so far.",
  token: "What an earlier answer, a mail or a login gave.",
  code: "The code of the second factor.",
  first_name: "First name. Needed where the app demands names.",
  last_name: "Last name. Needed where the app demands names.",
  state:
    "Visible text of at most 512 characters that comes back as state beside the token: how an app knows a login for one that it began.",
  org_name: "Name of the org that is founded along, where the app's signup_mode is user_org."
} as const

/** The fields that operations of hosted login take. */
export type FieldName = keyof typeof fields

/** One operation of hosted login: where it is, what it takes, and what is answered when it goes well. */
export interface HostedOperation {
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly takes: ReadonlyArray<FieldName>
  /** The members of the answer, and what each is. */
  readonly answers: Readonly<Record<string, string>>
}

const token = "The login token."
const url = "The app's handler with the token appended, and the state where one was sent; null where the app has none."
const message = "A sentence for the person."

/**
 * Hosted login, for untrusted clients (api-v1 section 4, "Hosted login API"): on the host of a connected app, by POST, or by
 * GET for JSONP. Every answer has status 200; one that went wrong has `error` and `errors`.
 */
export const hostedOperations = {
  login: {
    path: "/v1/login",
    summary: "Log in by password",
    description: "For users with a second factor the answer is need_mfa, with a token for verify_login.",
    takes: ["username", "email", "password", "state"],
    answers: { result: "okay or need_mfa.", token, url }
  },
  verifyLogin: {
    path: "/v1/verify_login",
    summary: "Complete a login by a code",
    description: "The token stays good for another code, five in all.",
    takes: ["username", "token", "code", "state"],
    answers: { token, url }
  },
  logout: {
    path: "/v1/logout",
    summary: "Log out",
    description: "Ends the session of the token; by POST without one, that of the cookie. The answer is empty.",
    takes: ["token"],
    answers: {}
  },
  checkSession: {
    path: "/v1/check_session",
    summary: "Check a session token",
    description: "Whether the token's session goes on. The realm's sessions must be managed.",
    takes: ["token"],
    answers: { valid: "Whether it does." }
  },
  forgotPassword: {
    path: "/v1/forgot_password",
    summary: "Ask for a mail to set a new password",
    description: "Answered the same whether anybody goes by that name.",
    takes: ["username", "email"],
    answers: { message }
  },
  resetPassword: {
    path: "/v1/reset_password",
    summary: "Set a new password by the token of a mail",
    description: "Logs nobody in. Ends the user's sessions.",
    takes: ["username", "email", "token", "password", "password_confirmation"],
    answers: { message }
  },
  updatePassword: {
    path: "/v1/update_password",
    summary: "Change one's password",
    description: "By a login token and the password so far. Ends the user's other sessions.",
    takes: ["token", "current_password", "password", "password_confirmation"],
    answers: { message }
  },
  signup: {
    path: "/v1/signup",
    summary: "Sign up",
    description:
      "By the app's signup_mode: a login whose url has signup=true, or a signup token. Where e-mails are verified first, a message: the mail leads on.",
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
    answers: { result: "okay, of a login.", token: "The login token or the signup token.", url, message }
  },
  resendEmailToken: {
    path: "/v1/resend_email_token",
    summary: "Ask once more for the mail that verifies an e-mail",
    description: "Sent where the user's email_verification is requested; answered the same where it is not.",
    takes: ["username", "email"],
    answers: { message }
  }
} as const satisfies Readonly<Record<string, HostedOperation>>

export type HostedOperationName = keyof typeof hostedOperations
