/** What each login operation does, by the last part of its id, or the whole id where the versions differ. */
export const loginOperations = {
  "logins.authenticate": {
    summary: "Authenticate with a password",
    description:
      "A session; or, where the user has a second factor, a token to complete with `authenticate_token` within 10 minutes. Ten wrong passwords block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`."
  },
  "v1.logins.authenticate": {
    summary: "Authenticate with a password",
    description:
      "The user with a login `token`; or, where the user has a second factor, with one (`kli_`) to complete with `authenticate_code` within 10 minutes. 401: the password is wrong. Ten wrong ones block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`."
  },
  "logins.authenticate_token": {
    summary: "Complete a login by a code",
    description:
      "A wrong code may be followed by another, five in all. Event: `user.login.succeeded` or `user.login.failed`; `user.blocked`."
  },
  "logins.authenticate_code": {
    summary: "Complete a login by a code",
    description:
      "401: the code is wrong and may be followed by another, five in all; 404: the token can't be used (any more). Event: `user.login.succeeded` or `user.login.failed`; `user.blocked`."
  },
  "logins.authenticate_key": {
    summary: "Authenticate with an API key",
    description:
      "Of an active api user. The token is as long as the realm's `api_key_minutes`, and not kept as a session. Event, at the first login of a day: `user.login.succeeded`."
  },
  "logins.update_password": {
    summary: "Change a password by the current one",
    description:
      "Ends the user's sessions, unless `keep_sessions` says otherwise (`/v2`). Events: `user.updated`, `session.deleted` each; `user.blocked`."
  },
  "logins.generate_password_token": {
    summary: "Generate a password token",
    description:
      "For an active human, good for one new password within 60 minutes. Event, which carries it: `user.password.resetting` (`/v1`: `user.password_token.created`)."
  },
  "logins.reset_password_with_token": {
    summary: "Set a new password by a token",
    description:
      "Ends the user's sessions and logs the user in; where a second factor is due, the answer is a token to complete. Events: `user.password_token.consumed`, `session.deleted` each, and those of the login; or `user.password_token.failed`."
  },
  "v1.logins.reset_password_with_token": {
    summary: "Set a new password by a token",
    description:
      "Ends the user's sessions; nobody is logged in. `--` in the path: the user of the token. Events: `user.password_token.consumed`, `session.deleted` each; or `user.password_token.failed`."
  },
  "logins.request_email_verification": {
    summary: "Request the verification of an e-mail",
    description:
      "A token, good for 24 hours, that proves the user's e-mail (`tve:`) or, where that is verified, the pending one (`tue:`). Events: `user.updated` the first time; `user.email.verifying` (`/v1`: `user.email.verification_requested`) or `user.email.updating`, which carry another one, to be mailed. The pages of hosted login take that one alone."
  },
  "logins.verify_email": {
    summary: "Verify an e-mail",
    description:
      "By a token for the user's e-mail or the pending one, which becomes the user's. `--` in the path of `/v1`: the user of the token. Event: `user.email.verified`."
  },
  "logins.update_profile": {
    summary: "Update a profile",
    description:
      "What users change of themselves; only what is given changes, and a changed e-mail goes to `email_pending`. Events: `user.profile.updated`; `user.email.updating`; with a new password `session.deleted` each."
  }
} as const

const password = "correct horse battery"
const newPassword = { password: "staple battery horse", password_confirmation: "staple battery horse" }
const request = { ip: "203.0.113.7", client: "curl" }

/** A token of a kind, as it looks. */
const token = (prefix: string) => `${prefix}7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA`

/** What callers send to log users in. */
export const loginRequests = {
  "logins.authenticate": { user: { password }, request },
  "v1.logins.authenticate": { password, request },
  "logins.authenticate_token": { user: { token: token("tmf:"), code: "123456" } },
  "logins.authenticate_code": { user: { token: token("kli_"), code: "123456" } },
  "logins.authenticate_key": { api_key: "Qm3vT8sKc1ZxW6pLr0YdGh5NbJ2aFu9E" },
  "logins.update_password": { user: { current_password: password, ...newPassword } },
  "logins.generate_password_token": { request },
  "logins.reset_password_with_token": { user: { token: token("tpw:"), ...newPassword } },
  "v1.logins.reset_password_with_token": { user: { token: token("kpw_"), ...newPassword } },
  "logins.request_email_verification": { request },
  "logins.verify_email": { user: { token: token("tve:") } },
  "logins.update_profile": { user: { email: "joan@example.com", first_name: "Joan", locale: "es" } }
}

/** The users and the session that answers show: of `/v1` a human and an api user. */
interface Shown {
  readonly human: object
  readonly robot: object
  readonly session: { readonly token: string }
}

/** The answers to logins, but for those that are just a user. */
export const loginAnswers = ({ human, robot, session }: Shown): Readonly<Record<string, unknown>> => ({
  "v1.authenticate": { ...human, token: session.token },
  "v1.authenticate_code": { ...human, token: session.token },
  "v1.authenticate_key": { ...robot, token: session.token },
  "v1.generate_password_token": { ...human, password_reset_token: token("kpw_") },
  "v1.request_email_verification": { ...human, token: token("tve:") },
  "v2.authenticate": session,
  "v2.authenticate_token": session,
  "v2.reset_password_with_token": session,
  "v2.generate_password_token": { object: "token", token: token("tpw:") },
  "v2.request_email_verification": { object: "token", token: token("tve:") }
})
