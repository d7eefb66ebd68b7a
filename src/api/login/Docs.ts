import { creationOptions, loginOptions, loginResponse } from "../credentials/PasskeySamples.ts"
import { documentGroup } from "../GroupDocs.ts"
import { request } from "../memberships/Samples.ts"
import { readSession } from "../sessions/Docs.ts"
import { apiUserV1, readUser, readUserV1 } from "../users/Docs.ts"
import { LoginsV1 } from "./V1.ts"
import { LoginsV2 } from "./V2.ts"

const password = "correct horse battery"
const newPassword = { password: "staple battery horse", password_confirmation: "staple battery horse" }
/** A sample token with the given prefix. */
const token = (prefix: string) => `${prefix}7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA`

/** The docs of the endpoints that return passkey options, the same in both versions. */
const optionsDocs = {
  passkey_options: {
    summary: "Start to register a passkey",
    description:
      "Returns the options for `navigator.credentials.create()`, and a token that is valid for 10 minutes. To register the passkey, create a credential of type `passkey` with the token and the authenticator's response. A user can have up to 20 passkeys.",
    request: { user: { origin: "https://app.example.com" } },
    response: creationOptions
  },
  passkey_login_options: {
    summary: "Start a login with a passkey",
    description:
      "Returns the options for `navigator.credentials.get()`, and a token that is valid for 10 minutes. The options name no user and are the same for everyone, because the person chooses a passkey, for example from the login form's autofill. With the token of a login that waits for a second factor, the options are for the passkeys of its user. If `retry` contains `passkeys`, the options are for creating a passkey with `navigator.credentials.create()`.",
    request: { user: { origin: "https://app.example.com" } },
    response: loginOptions
  }
}

/** A sample user of `/v1` who has logged in. */
export const loginV1 = { ...readUserV1, token: readSession.token }

const about = "Logins, passwords and email verification."

export const loginsV1 = documentGroup(LoginsV1, about, {
  authenticate: {
    summary: "Authenticate with a password",
    description:
      "Returns the user with a login `token`. If the user has a second factor, the token begins with `kli_`, and `authenticate_code` completes the login within 10 minutes. Returns 401 if the login fails. `params.reason` in `error_details` contains the reason, such as `wrong_password` or `user_inactive`, which is not meant for the person logging in. Ten wrong passwords block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`.",
    request: { password, request },
    response: loginV1
  },
  authenticate_code: {
    summary: "Complete a login with a code",
    description:
      "Accepts a code from an authenticator app, a recovery code or, with a token from `send_code`, the digits in the email. After an emailed code, a second factor may still be required, as after a password. Returns 401 if the code is wrong (five attempts are allowed), and 404 if the token is not valid or can no longer be used. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.recovery_code.used`, `user.email.verified`, `user.blocked`.",
    request: { user: { token: token("kli_"), code: "123456" } },
    response: loginV1
  },
  authenticate_key: {
    summary: "Authenticate with an API key",
    description:
      "For active API users. The token is valid for the realm's `api_key_minutes` and is not stored as a session. Event, on the first login of a day: `user.login.succeeded`.",
    request: { api_key: "Qm3vT8sKc1ZxW6pLr0YdGh5NbJ2aFu9E" },
    response: { ...apiUserV1, token: readSession.token }
  },
  ...optionsDocs,
  authenticate_passkey: {
    summary: "Authenticate with a passkey",
    description:
      "Returns the user with a login `token`. If the authenticator didn't verify the user and the user has a second factor, the token begins with `kli_`, and `authenticate_code` completes the login. With `login_token`, the passkey completes a login that waits for a second factor. If `retry` contains `passkeys`, a new passkey can be set up as the second factor. Returns 401 if the passkey is rejected. Rejected passkeys never block a user. Events: `user.login.succeeded` or `user.login.initiated`; `user.login.failed` of the passkey's owner; `user.updated` for a new passkey.",
    request: { user: { token: token("tpk:"), response: loginResponse }, request },
    response: loginV1
  },
  update_password: {
    summary: "Change a password",
    description:
      "Requires the current password. Ends the user's sessions, unless `keep_sessions` is true (`/v2`). Events: `user.updated`, `session.deleted` for each session; `user.blocked`.",
    request: { user: { current_password: password, ...newPassword } }
  },
  send_code: {
    summary: "Send a code by email",
    description:
      "Emails six digits and a link to an active human user, if the auth provider `email_code` is active. Returns a token for `authenticate_code`. With the digits, it logs the user in and verifies the email, within 10 minutes and five attempts. With the token of a login that waits for a second factor, the code completes that login instead, if the provider has `second_factor` and the email is verified. Returns 429 after 3 emails in a minute or 10 in an hour. Event, which contains the token of the link: `user.email_code.requested`.",
    request: { request },
    response: { object: "token", token: token("tec:") }
  },
  generate_password_token: {
    summary: "Generate a password token",
    description:
      "For active human users. The token is valid for 60 minutes and one new password. Event, which contains the token: `user.password.resetting` (`/v1`: `user.password_token.created`).",
    request: { request },
    response: { ...readUserV1, password_reset_token: token("kpw_") }
  },
  reset_password_with_token: {
    summary: "Reset a password with a token",
    description:
      "Ends the user's sessions and does not log the user in. `--` in the path refers to the user of the token. Events: `user.password_token.consumed`, `session.deleted` for each session; or `user.password_token.failed`.",
    request: { user: { token: token("kpw_"), ...newPassword } },
    response: readUserV1
  },
  request_email_verification: {
    summary: "Request email verification",
    description:
      "Returns a token, valid for 24 hours, that verifies the user's email (`tve:`) or, if that is already verified, the pending email (`tue:`). Events: `user.updated` the first time; `user.email.verifying` (`/v1`: `user.email.verification_requested`) or `user.email.updating`, which contain a different token to be sent by email. The hosted login pages only accept the emailed token.",
    request: { request },
    response: { ...readUserV1, token: token("tve:") }
  },
  verify_email: {
    summary: "Verify an email",
    description:
      "Accepts a token for the user's email, or for the pending email, which then becomes the user's email. `--` in the path of `/v1` refers to the user of the token. Event: `user.email.verified`.",
    request: { user: { token: token("tve:") } },
    response: readUserV1
  }
})

export const loginsV2 = documentGroup(LoginsV2, about, {
  authenticate: {
    summary: "Authenticate with a password",
    description:
      "Returns a session. If the user has a second factor, returns a token instead, and `authenticate_token` completes the login within 10 minutes. Returns 422 if the login fails. `params.reason` in `error_details` contains the reason, such as `wrong_password` or `user_inactive`, which is not meant for the person logging in. Ten wrong passwords block the user for 15 minutes. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.blocked`.",
    request: { user: { password }, request },
    response: readSession
  },
  authenticate_token: {
    summary: "Complete a login with a code",
    description:
      "Accepts a code from an authenticator app, a recovery code or, with a token from `send_code`, the digits in the email. After an emailed code, a second factor may still be required, as after a password. Five attempts are allowed. Events: `user.login.succeeded`, `user.login.initiated` or `user.login.failed`; `user.recovery_code.used`, `user.email.verified`, `user.blocked`.",
    request: { user: { token: token("tmf:"), code: "123456" } },
    response: readSession
  },
  ...optionsDocs,
  authenticate_passkey: {
    summary: "Authenticate with a passkey",
    description:
      "Returns a session. If the authenticator didn't verify the user and the user has a second factor, returns a token instead, and `authenticate_token` completes the login. With `login_token`, the passkey completes a login that waits for a second factor. If `retry` contains `passkeys`, a new passkey can be set up as the second factor. Rejected passkeys never block a user. Events: `user.login.succeeded` or `user.login.initiated`; `user.login.failed` of the passkey's owner; `user.updated` for a new passkey.",
    request: { user: { token: token("tpk:"), response: loginResponse }, request },
    response: readSession
  },
  send_code: {
    summary: "Send a code by email",
    description:
      "Emails six digits and a link to an active human user, if the auth provider `email_code` is active. Returns a token for `authenticate_token`. With the digits, it logs the user in and verifies the email, within 10 minutes and five attempts. With the token of a login that waits for a second factor, the code completes that login instead, if the provider has `second_factor` and the email is verified. Returns 429 after 3 emails in a minute or 10 in an hour. Event, which contains the token of the link: `user.email_code.requested`.",
    request: { request },
    response: { object: "token", token: token("tec:") }
  },
  generate_password_token: {
    summary: "Generate a password token",
    description:
      "For active human users. The token is valid for 60 minutes and one new password. Event, which contains the token: `user.password.resetting` (`/v1`: `user.password_token.created`).",
    request: { request },
    response: { object: "token", token: token("tpw:") }
  },
  send_password_reset: {
    summary: "Send a password reset email",
    description:
      "Emails an active human user a link to set a new password, valid for 60 minutes. Only the email contains its token. Returns 422 if the user has no email, the realm has no password login, no active email template or webhook sends the email, or the service has no mail server; 429 after 3 emails in a minute or 10 in an hour. Event: `user.password.resetting`.",
    request: { request },
    response: { object: "sent_mail", email: "jo@example.com", delivery: "server" }
  },
  send_email_verification: {
    summary: "Send a verification email",
    description:
      "Emails an active human user a link, valid for 24 hours, that verifies the user's email or, if that is already verified, the pending email. Only the email contains its token. Returns 422 if there is nothing to verify, no active email template or webhook sends the email, or the service has no mail server; 429 after 3 emails in a minute or 10 in an hour. Events: `user.updated` the first time; `user.email.verifying` or `user.email.updating`.",
    request: { request },
    response: { object: "sent_mail", email: "jo@example.com", delivery: "server" }
  },
  reset_password_with_token: {
    summary: "Reset a password with a token",
    description:
      "Ends the user's sessions and logs the user in. If a second factor is required, returns a token to complete the login. Events: `user.password_token.consumed`, `session.deleted` for each session, and the events of the login; or `user.password_token.failed`.",
    request: { user: { token: token("tpw:"), ...newPassword } },
    response: readSession
  },
  request_email_verification: {
    summary: "Request email verification",
    description:
      "Returns a token, valid for 24 hours, that verifies the user's email (`tve:`) or, if that is already verified, the pending email (`tue:`). Events: `user.updated` the first time; `user.email.verifying` (`/v1`: `user.email.verification_requested`) or `user.email.updating`, which contain a different token to be sent by email. The hosted login pages only accept the emailed token.",
    request: { request },
    response: { object: "token", token: token("tve:") }
  },
  verify_email: {
    summary: "Verify an email",
    description:
      "Accepts a token for the user's email, or for the pending email, which then becomes the user's email. `--` in the path of `/v1` refers to the user of the token. Event: `user.email.verified`.",
    request: { user: { token: token("tve:") } },
    response: readUser
  },
  update_password: {
    summary: "Change a password",
    description:
      "Requires the current password. Ends the user's sessions, unless `keep_sessions` is true (`/v2`). Events: `user.updated`, `session.deleted` for each session; `user.blocked`.",
    request: { user: { current_password: password, ...newPassword } },
    response: readUser
  },
  update_profile: {
    summary: "Update a profile",
    description:
      "For changes that users make themselves. Changes only the members you send. A new email is stored in `email_pending` until it is verified. Events: `user.profile.updated`; `user.email.updating`; with a new password, `session.deleted` for each session.",
    request: { user: { email: "joan@example.com", first_name: "Joan", locale: "es" } },
    response: readUser
  }
})
