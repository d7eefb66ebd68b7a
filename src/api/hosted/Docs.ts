import { type Problem, problem } from "#domain/Rejected"
import { loginOptions, loginResponse } from "../credentials/PasskeySamples.ts"
import { en } from "../messages/en.ts"
import { readSession } from "../sessions/Docs.ts"
import type { FieldName, HostedOperationName } from "./V1.ts"

/** The fields that an operation always requires, regardless of the realm's settings. */
export const requiredFields: Readonly<Record<HostedOperationName, ReadonlyArray<FieldName>>> = {
  login: ["password"],
  verifyLogin: ["token", "code"],
  sendCode: [],
  passkeyOptions: [],
  passkeyLogin: ["token", "response"],
  logout: [],
  checkSession: ["token"],
  forgotPassword: [],
  resetPassword: ["token", "password"],
  updatePassword: ["token", "current_password", "password"],
  signup: [],
  resendEmailToken: []
}

const secret = "7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA"
const [password, next] = ["correct horse battery", "staple battery horse"]
const { token } = readSession

/** Examples of requests. They work once their secrets are replaced with real ones. */
export const requests: Readonly<Record<HostedOperationName, Partial<Readonly<Record<FieldName, string>>>>> = {
  login: { username: "jo", password },
  verifyLogin: { username: "jo", token: `kli_${secret}`, code: "123456" },
  sendCode: { username: "jo" },
  passkeyOptions: {},
  passkeyLogin: { token: `tpk:${secret}`, response: JSON.stringify(loginResponse) },
  logout: { token },
  checkSession: { token },
  forgotPassword: { username: "jo" },
  resetPassword: { username: "jo", token: `kpw_${secret}`, password: next, password_confirmation: next },
  updatePassword: { token, current_password: password, password: next, password_confirmation: next },
  signup: { username: "sam", email: "sam@example.com", password, password_confirmation: password },
  resendEmailToken: { email: "jo@example.com" }
}

const { object: _, ...passkeyOptions } = loginOptions
const redirect = { token, url: `https://app.example.com/login?token=${token}` }
const { sentences } = en
const changed = { message: sentences.password_changed }

/** Examples of successful responses, undefined for empty responses. */
export const responses: Readonly<Record<HostedOperationName, object | undefined>> = {
  login: { result: "okay", ...redirect },
  verifyLogin: redirect,
  sendCode: { token: `tec:${secret}` },
  passkeyOptions,
  passkeyLogin: { result: "okay", ...redirect },
  logout: undefined,
  checkSession: { valid: true },
  forgotPassword: { message: sentences.reset_mail_sent },
  resetPassword: changed,
  updatePassword: changed,
  signup: { result: "okay", token, url: `${redirect.url}&signup=true` },
  resendEmailToken: { message: sentences.verification_mail_sent }
}

const unusable = problem("token", "token_unusable")
const blank = problem("username", "blank")

/** For each operation, an example of a problem that it can return. */
export const failures: Readonly<Record<HostedOperationName, Problem>> = {
  login: problem(null, "login_failed"),
  verifyLogin: unusable,
  sendCode: problem(null, "provider_inactive"),
  passkeyOptions: problem(null, "provider_inactive"),
  passkeyLogin: problem(null, "login_failed"),
  logout: problem(null, "foreign_origin"),
  checkSession: unusable,
  forgotPassword: blank,
  resetPassword: unusable,
  updatePassword: unusable,
  signup: problem(null, "signup_closed"),
  resendEmailToken: blank
}
