// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, Form } from "../../Form.ts"
import type { HostedV1 } from "./HostedV1.ts"

/** Creates the resource's functions from a function that calls the API. */
export const hosted = <F extends Form>(call: Call<F>): HostedV1<F> => ({
  login: (body, options) => call.one({ route: "POST /v1/login", realm: "none", isOpen: true }, [], body, options),
  getLogin: (query, options) => call.one({ route: "GET /v1/login", realm: "none", isOpen: true }, [], query, options),
  verifyLogin: (body, options) =>
    call.one({ route: "POST /v1/verify_login", realm: "none", isOpen: true }, [], body, options),
  getVerifyLogin: (query, options) =>
    call.one({ route: "GET /v1/verify_login", realm: "none", isOpen: true }, [], query, options),
  sendCode: (body, options) =>
    call.one({ route: "POST /v1/send_code", realm: "none", isOpen: true }, [], body, options),
  getSendCode: (query, options) =>
    call.one({ route: "GET /v1/send_code", realm: "none", isOpen: true }, [], query, options),
  passkeyOptions: (body, options) =>
    call.one({ route: "POST /v1/passkey_options", realm: "none", isOpen: true }, [], body, options),
  getPasskeyOptions: (query, options) =>
    call.one({ route: "GET /v1/passkey_options", realm: "none", isOpen: true }, [], query, options),
  passkeyLogin: (body, options) =>
    call.one({ route: "POST /v1/passkey_login", realm: "none", isOpen: true }, [], body, options),
  getPasskeyLogin: (query, options) =>
    call.one({ route: "GET /v1/passkey_login", realm: "none", isOpen: true }, [], query, options),
  logout: (body, options) => call.one({ route: "POST /v1/logout", realm: "none", isOpen: true }, [], body, options),
  getLogout: (query, options) => call.one({ route: "GET /v1/logout", realm: "none", isOpen: true }, [], query, options),
  checkSession: (body, options) =>
    call.one({ route: "POST /v1/check_session", realm: "none", isOpen: true }, [], body, options),
  getCheckSession: (query, options) =>
    call.one({ route: "GET /v1/check_session", realm: "none", isOpen: true }, [], query, options),
  forgotPassword: (body, options) =>
    call.one({ route: "POST /v1/forgot_password", realm: "none", isOpen: true }, [], body, options),
  getForgotPassword: (query, options) =>
    call.one({ route: "GET /v1/forgot_password", realm: "none", isOpen: true }, [], query, options),
  resetPassword: (body, options) =>
    call.one({ route: "POST /v1/reset_password", realm: "none", isOpen: true }, [], body, options),
  getResetPassword: (query, options) =>
    call.one({ route: "GET /v1/reset_password", realm: "none", isOpen: true }, [], query, options),
  updatePassword: (body, options) =>
    call.one({ route: "POST /v1/update_password", realm: "none", isOpen: true }, [], body, options),
  getUpdatePassword: (query, options) =>
    call.one({ route: "GET /v1/update_password", realm: "none", isOpen: true }, [], query, options),
  signup: (body, options) => call.one({ route: "POST /v1/signup", realm: "none", isOpen: true }, [], body, options),
  getSignup: (query, options) => call.one({ route: "GET /v1/signup", realm: "none", isOpen: true }, [], query, options),
  resendEmailToken: (body, options) =>
    call.one({ route: "POST /v1/resend_email_token", realm: "none", isOpen: true }, [], body, options),
  getResendEmailToken: (query, options) =>
    call.one({ route: "GET /v1/resend_email_token", realm: "none", isOpen: true }, [], query, options),
  startSocialLogin: (provider, query, options) =>
    call.one(
      { route: "GET /auth/{provider}", realm: "none", isOpen: true, isRedirect: true },
      [provider],
      query,
      options
    )
})
