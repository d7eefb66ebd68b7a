import { Effect } from "effect"
import type { FieldName, HostedOperationName } from "#api/hosted/Api"
import { sentence } from "#api/Messages"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { BrowserSessions, type Kept } from "#core/sessions/BrowserSessions"
import { LoginTokens } from "#core/sessions/LoginTokens"
import { Sessions } from "#core/sessions/Sessions"
import { Users } from "#core/users/Users"
import { LoginsOff, TokenNotFound } from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import type { Login } from "#domain/Session"
import { presence } from "#domain/Text"
import { haveUsernames } from "#domain/User"
import { sessionIn } from "../cookies/SessionCookie.ts"
import type { AppCall } from "../RequestShell.ts"
import { type HostedWord, SessionsUnmanaged } from "./Errors.ts"
import type { Input } from "./Input.ts"

/** What is answered when all went well. `keeps`: the session that the browser keeps from now on, or `none` any more. */
export interface Answer {
  /** Undefined: nothing. */
  readonly body?: object
  readonly keeps?: Kept | "none"
}

/** A call of an operation. `posted`: not by GET, and so free to touch cookies. */
export interface Asked {
  readonly call: AppCall
  readonly input: Input
  readonly posted: boolean
}

type Operation = (asked: Asked) => Effect.Effect<Answer, HostedWord, CurrentRealm>

const blank = (field: string): Problem => problem(field, "blank")

/** Demands that fields are filled in. */
const needed = (input: Input, ...names: ReadonlyArray<FieldName>): Effect.Effect<void, Rejected> => {
  const problems = names.filter((name) => presence(input(name) ?? null) === null).map(blank)
  return problems.length > 0 ? Effect.fail(new Rejected({ problems })) : Effect.void
}

/** The name somebody goes by, as it was given: as username or as e-mail. */
const givenName = (input: Input): string | undefined =>
  presence(input("username") ?? null) ?? presence(input("email") ?? null) ?? undefined

/** The same where it has to be there. */
const nameIn = Effect.fnUntraced(function* (input: Input) {
  const name = givenName(input)
  if (name !== undefined) return name
  const realm = yield* CurrentRealm
  return yield* new Rejected({ problems: [blank(haveUsernames(realm, "human") ? "username" : "email")] })
})

/** A new password, the same twice where it was given twice. */
const newPassword = (input: Input): Effect.Effect<string, Rejected> => {
  const again = input("password_confirmation")
  const typed = input("password") ?? ""
  return again === undefined || again === typed
    ? Effect.succeed(typed)
    : Effect.fail(new Rejected({ problems: [problem("password_confirmation", "unmatched")] }))
}

/** What the operations of hosted login do, by their names. */
export const operations = Effect.gen(function* () {
  const logins = yield* PasswordLoginFlow
  const browsers = yield* BrowserSessions
  const tokens = yield* LoginTokens
  const mails = yield* SelfServiceMails
  const resets = yield* PasswordResets
  const updates = yield* PasswordUpdates
  const sessions = yield* Sessions
  const signups = yield* Signups
  const users = yield* Users

  const message = ({ call }: Asked, code: string): Answer => ({
    body: { message: sentence(call.visit.catalogue, problem(null, code)) }
  })

  /** A login, which a browser that posts keeps too. */
  const loggedIn = Effect.fnUntraced(function* (
    { call, posted }: Asked,
    { login, url }: { readonly login: Login; readonly url: string | null },
    result: object
  ) {
    const body = { ...result, token: login.token, url }
    if (!posted) return { body }
    const before = sessionIn(call.request, call.origin)
    return { body, keeps: yield* browsers.keep(call.app, login.session, before) }
  })

  const destination = (input: Input) => ({
    returnTo: null,
    state: presence(input("state") ?? null),
    memberships: false
  })

  const all: Readonly<Record<HostedOperationName, Operation>> = {
    login: Effect.fn("hosted.login")(function* (asked) {
      const { call, input } = asked
      const name = yield* nameIn(input)
      yield* needed(input, "password")
      const outcome = yield* logins.logIn(call.app, { ...destination(input), name, password: input("password") ?? "" })
      return outcome._tag === "CodeDue"
        ? { body: { result: "need_mfa", token: outcome.token } }
        : yield* loggedIn(asked, outcome, { result: "okay" })
    }),

    verifyLogin: Effect.fn("hosted.verifyLogin")(function* (asked) {
      const { call, input } = asked
      yield* needed(input, "token", "code")
      const pending = { name: givenName(input), token: input("token") ?? "", code: (input("code") ?? "").trim() }
      return yield* loggedIn(asked, yield* logins.complete(call.app, { ...destination(input), ...pending }), {})
    }),

    logout: Effect.fn("hosted.logout")(function* ({ call, input, posted }) {
      const token = presence(input("token") ?? null)
      if (token !== null) {
        const held = yield* Effect.catchTag(tokens.holder(token), "SessionNotFound", () => Effect.succeed(undefined))
        if (held?.session !== undefined) yield* sessions.delete(held.session.id)
        return {}
      }
      // What a script of any site may ask for never depends on a cookie (decision 42, SEC-30).
      if (!posted) return {}
      yield* browsers.end(call.app, sessionIn(call.request, call.origin))
      return { keeps: "none" }
    }),

    checkSession: Effect.fn("hosted.checkSession")(function* ({ call, input }) {
      if (call.visit.realm.sessionType === "unmanaged") return yield* new SessionsUnmanaged()
      yield* needed(input, "token")
      yield* tokens.holder(input("token") ?? "")
      return { body: { valid: true } }
    }),

    forgotPassword: Effect.fn("hosted.forgotPassword")(function* (asked) {
      yield* mails.forgotPassword(yield* nameIn(asked.input))
      return message(asked, "reset_mail_sent")
    }),

    resetPassword: Effect.fn("hosted.resetPassword")(function* (asked) {
      const { input } = asked
      yield* needed(input, "token", "password")
      const name = givenName(input)
      const named = name === undefined ? Effect.succeed(undefined) : users.idOfLogin(name)
      const userId = yield* Effect.catchTag(named, "UserNotFound", () => Effect.fail(new TokenNotFound()))
      const password = yield* newPassword(input)
      yield* resets.reset({ kind: "kpw_", token: input("token") ?? "", password, userId, logsIn: undefined })
      return message(asked, "password_changed")
    }),

    updatePassword: Effect.fn("hosted.updatePassword")(function* (asked) {
      const { call, input } = asked
      if (call.visit.realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
      yield* needed(input, "token", "current_password", "password")
      const { user, session } = yield* tokens.holder(input("token") ?? "")
      const password = yield* newPassword(input)
      const currentPassword = input("current_password")
      yield* updates.update(user.id, { currentPassword, password, keeps: session?.id ?? false })
      return message(asked, "password_changed")
    }),

    signup: Effect.fn("hosted.signup")(function* (asked) {
      const { call, input } = asked
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
      const outcome = yield* signups.signUp(call.app, form, destination(input))
      if (outcome._tag === "Mailed") return message(asked, "signup_mail_sent")
      return outcome._tag === "Token"
        ? { body: { token: outcome.token, url: outcome.url } }
        : yield* loggedIn(asked, outcome, { result: "okay" })
    }),

    resendEmailToken: Effect.fn("hosted.resendEmailToken")(function* (asked) {
      yield* mails.resendVerification(yield* nameIn(asked.input))
      return message(asked, "verification_mail_sent")
    })
  }
  return all
})
