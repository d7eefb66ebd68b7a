import { Effect } from "effect"
import type { FieldName, HostedOperationName } from "#api/hosted/V1"
import { retryBody } from "#api/login/Retry"
import { formatMessage } from "#api/Messages"
import { EmailCodeFlow } from "#core/hosted/EmailCodeFlow"
import { PasskeyLoginFlow } from "#core/hosted/PasskeyLoginFlow"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { EmailCodes } from "#core/login/EmailCodes"
import { MfaLogins } from "#core/login/MfaLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { LoginTokens } from "#core/sessions/LoginTokens"
import { Sessions } from "#core/sessions/Sessions"
import { Users } from "#core/users/Users"
import { withKnownProblems } from "#domain/KnownProblems"
import { type LoggedIn, LoginsOff, type MfaRequired, TokenNotFound } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { usesUsernames } from "#domain/User"
import type { CookieChanges } from "../cookies/CookieChanges.ts"
import { sessionSecretIn } from "../cookies/SessionCookie.ts"
import { creationIn, useIn } from "../flow/PasskeyAnswer.ts"
import type { AppRequest } from "../RequestShell.ts"
import { type ApiFailure, SessionsUnmanaged } from "./Errors.ts"
import type { Input } from "./Input.ts"

/** The result of an operation. If it has no body, the response is empty. */
export interface ApiResult extends Pick<CookieChanges, "session"> {
  readonly body?: object
}

/** A call of an operation. */
export interface ApiCall {
  readonly request: AppRequest
  readonly input: Input
  /** Whether the call is a POST, because only a POST may read or set cookies. */
  readonly isPost: boolean
}

type Operation = (call: ApiCall) => Effect.Effect<ApiResult, ApiFailure, CurrentRealm>

const blank = (field: string): Problem => problem(field, "blank")

/** Rejects blank fields. */
const required = (input: Input, ...names: ReadonlyArray<FieldName>): Effect.Effect<void, Rejected> => {
  const problems = names.filter((name) => nonBlank(input(name) ?? null) === null).map(blank)
  return problems.length > 0 ? Effect.fail(new Rejected({ problems })) : Effect.void
}

/** Returns the login name: `username`, or else `email`. */
const loginNameIn = (input: Input): string | undefined =>
  nonBlank(input("username") ?? null) ?? nonBlank(input("email") ?? null) ?? undefined

/** Returns the login name, or rejects a request without one. */
const requiredLoginName = Effect.fnUntraced(function* (input: Input) {
  const name = loginNameIn(input)
  if (name !== undefined) return name
  const realm = yield* CurrentRealm
  return yield* new Rejected({ problems: [blank(usesUsernames(realm, "human") ? "username" : "email")] })
})

/** Reads a new password, with a problem if the confirmation differs. */
const newPassword = (input: Input) => {
  const confirmation = input("password_confirmation")
  const password = input("password") ?? ""
  const isConfirmed = [undefined, password].includes(confirmation)
  return { password, problems: isConfirmed ? [] : [problem("password_confirmation", "unmatched")] }
}

/** The response body if a second factor must be presented or set up (C147). */
const secondFactorDue = ({ token, enrolment }: MfaRequired) =>
  enrolment === undefined
    ? { result: "need_mfa", token }
    : { result: "need_enrolment", token, retry: retryBody(enrolment) }

const requireActiveRealm = Effect.gen(function* () {
  const { state } = yield* CurrentRealm
  if (state === "inactive") yield* new LoginsOff({ why: "realm_inactive" })
})

/** The operations of the hosted login API, keyed by name. */
export const operations = Effect.gen(function* () {
  const logins = yield* PasswordLoginFlow
  const codeLogins = yield* EmailCodeFlow
  const codes = yield* EmailCodes
  const passkeys = yield* PasskeyLoginFlow
  const mfaLogins = yield* MfaLogins
  const browsers = yield* BrowserSessions
  const tokens = yield* LoginTokens
  const mails = yield* SelfServiceMails
  const resets = yield* PasswordResets
  const updates = yield* PasswordUpdates
  const sessions = yield* Sessions
  const signups = yield* Signups
  const users = yield* Users

  const message = ({ request }: ApiCall, code: string): ApiResult => ({
    body: { message: formatMessage(request.context.catalogue, problem(null, code)) }
  })

  /** The result of a completed login. A browser that sends a POST also gets the session cookie. */
  const loggedIn = Effect.fnUntraced(function* (
    { request, isPost }: ApiCall,
    { login, returnUrl }: LoggedIn,
    result: object
  ) {
    const body = { ...result, token: login.token, url: returnUrl }
    if (!isPost) return { body }
    return { body, session: yield* browsers.store(request.app, login.session, sessionSecretIn(request)) }
  })

  const destination = (input: Input) => ({
    returnTo: null,
    state: nonBlank(input("state") ?? null),
    memberships: false
  })

  const all: Readonly<Record<HostedOperationName, Operation>> = {
    login: Effect.fn("hosted.login")(function* (call) {
      const { request, input } = call
      const name = yield* requiredLoginName(input)
      yield* required(input, "password")
      const outcome = yield* logins.logIn(request.app, {
        ...destination(input),
        name,
        password: input("password") ?? ""
      })
      return outcome._tag === "LoggedIn"
        ? yield* loggedIn(call, outcome, { result: "okay" })
        : { body: secondFactorDue(outcome) }
    }),

    verifyLogin: Effect.fn("hosted.verifyLogin")(function* (call) {
      const { request, input } = call
      yield* required(input, "token", "code")
      const [token, code] = [input("token") ?? "", (input("code") ?? "").trim()]
      if (!isToken("tec:", token)) {
        const pending = { name: loginNameIn(input), token, code }
        return yield* loggedIn(call, yield* logins.complete(request.app, { ...destination(input), ...pending }), {})
      }
      const entry = { name: yield* requiredLoginName(input), token, code }
      const outcome = yield* codeLogins.logIn(request.app, { ...destination(input), ...entry })
      return outcome._tag === "LoggedIn" ? yield* loggedIn(call, outcome, {}) : { body: secondFactorDue(outcome) }
    }),

    sendCode: Effect.fn("hosted.sendCode")(function* ({ input }) {
      const token = nonBlank(input("token") ?? null)
      if (token === null) return { body: { token: yield* mails.loginCode(yield* requiredLoginName(input)) } }
      yield* codes.sendForLogin("kli_", token)
      return { body: { token } }
    }),

    passkeyOptions: Effect.fn("hosted.passkeyOptions")(function* ({ request, input }) {
      yield* requireActiveRealm
      const origin = request.http.headers["origin"] ?? request.origin
      const waiting = nonBlank(input("token") ?? null)
      if (waiting === null) return { body: yield* passkeys.options(origin) }
      return { body: yield* mfaLogins.passkeyChallenge("kli_", waiting, origin) }
    }),

    passkeyLogin: Effect.fn("hosted.passkeyLogin")(function* (call) {
      const { request, input } = call
      yield* requireActiveRealm
      yield* required(input, "token", "response")
      const [token, response] = [input("token") ?? "", input("response") ?? ""]
      const waiting = nonBlank(input("login_token") ?? null)
      const [use, creation] = [useIn(response), waiting === null ? undefined : creationIn(response)]
      const pending = { ...destination(input), name: undefined, token: waiting ?? "" }
      const outcome = yield* creation !== undefined
        ? logins.complete(request.app, { ...pending, code: { token, creation } })
        : use === undefined
          ? new Rejected({ problems: [problem("response", "passkey_invalid")] })
          : waiting === null
            ? passkeys.logIn(request.app, { ...destination(input), token, use })
            : logins.complete(request.app, { ...pending, code: { token, use } })
      return outcome._tag === "LoggedIn"
        ? yield* loggedIn(call, outcome, { result: "okay" })
        : { body: secondFactorDue(outcome) }
    }),

    logout: Effect.fn("hosted.logout")(function* ({ request, input, isPost }) {
      const token = nonBlank(input("token") ?? null)
      if (token !== null) {
        const holder = yield* Effect.catchTag(tokens.holder(token), "SessionNotFound", () => Effect.succeed(undefined))
        if (holder?.session !== undefined) yield* sessions.delete(holder.session.id, "logged_out")
        return {}
      }
      // A script on any site can send this request, so its effect must not depend on a cookie (C42, SEC-30).
      if (!isPost) return {}
      yield* browsers.end(request.app, sessionSecretIn(request))
      return { session: "ended" }
    }),

    checkSession: Effect.fn("hosted.checkSession")(function* ({ request, input }) {
      if (request.context.realm.sessionType === "unmanaged") return yield* new SessionsUnmanaged()
      yield* required(input, "token")
      yield* tokens.holder(input("token") ?? "")
      return { body: { valid: true } }
    }),

    forgotPassword: Effect.fn("hosted.forgotPassword")(function* (call) {
      yield* mails.forgotPassword(yield* requiredLoginName(call.input))
      return message(call, "reset_mail_sent")
    }),

    resetPassword: Effect.fn("hosted.resetPassword")(function* (call) {
      const { input } = call
      yield* required(input, "token", "password")
      const name = loginNameIn(input)
      const found = name === undefined ? Effect.succeed(undefined) : users.idOfLogin(name)
      const userId = yield* Effect.catchTag(found, "UserNotFound", () => Effect.fail(new TokenNotFound()))
      const { password, problems } = newPassword(input)
      const reset = { kind: "kpw_", token: input("token") ?? "", password, userId, logsIn: undefined } as const
      yield* withKnownProblems(problems, resets.reset(reset))
      return message(call, "password_changed")
    }),

    updatePassword: Effect.fn("hosted.updatePassword")(function* (call) {
      const { input } = call
      yield* requireActiveRealm
      yield* required(input, "token", "current_password", "password")
      const { user, session } = yield* tokens.holder(input("token") ?? "")
      const { password, problems } = newPassword(input)
      const change = { currentPassword: input("current_password"), password, keptSessions: session?.id }
      yield* withKnownProblems(problems, updates.update(user.id, change))
      return message(call, "password_changed")
    }),

    signup: Effect.fn("hosted.signup")(function* (call) {
      const { request, input } = call
      const form = {
        username: input("username"),
        email: input("email"),
        emailConfirmation: input("email_confirmation"),
        password: input("password"),
        passwordConfirmation: input("password_confirmation"),
        firstName: input("first_name"),
        lastName: input("last_name"),
        orgName: input("org_name")
      }
      const outcome = yield* signups.signUp(request.app, form, destination(input))
      if (outcome._tag === "VerificationSent") return message(call, "signup_mail_sent")
      if (outcome._tag === "MfaRequired") return { body: secondFactorDue(outcome) }
      return outcome._tag === "LoggedIn"
        ? yield* loggedIn(call, outcome, { result: "okay" })
        : { body: { token: outcome.token, url: outcome.returnUrl } }
    }),

    resendEmailToken: Effect.fn("hosted.resendEmailToken")(function* (call) {
      yield* mails.resendVerification(yield* requiredLoginName(call.input))
      return message(call, "verification_mail_sent")
    })
  }
  return all
})
