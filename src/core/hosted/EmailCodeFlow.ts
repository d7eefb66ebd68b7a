import { Context, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type Blocked, type LoginOutcome, type LoginsOff, type TokenNotFound, WrongCode } from "#domain/Login"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { RedirectRefused } from "#domain/ReturnUrl"
import { withLoginToken } from "#domain/ReturnUrl"
import { withApp } from "../apps/WithApp.ts"
import { EmailCodes } from "../login/EmailCodes.ts"
import { Users } from "../users/Users.ts"
import type { LoginRequest } from "./LoginReturn.ts"
import { PasswordLoginFlow } from "./PasswordLoginFlow.ts"

/** A login with an emailed code. `name` is the email or username for which the code was requested. */
export interface EmailCodeRequest extends LoginRequest {
  readonly name: string
  readonly token: string
  readonly code: string
}

type Failure = RedirectRefused | LoginsOff | RealmNotFound

/**
 * Logs users in with an emailed code or link, on the host of a connected app (C52, SEC-128). An error does not reveal whether
 * the account exists, whether a code was sent, or whether the code was wrong, used or expired.
 */
export class EmailCodeFlow extends Context.Service<
  EmailCodeFlow,
  {
    /** Logs in with a code. Records the events of `EmailCodes.logIn`. */
    logIn(
      app: ConnectedApp,
      request: EmailCodeRequest
    ): Effect.Effect<LoginOutcome, Failure | WrongCode | Blocked, CurrentRealm>
    /** Logs in with an emailed link. Records the events of `EmailCodes.open`. */
    open(
      app: ConnectedApp,
      link: string,
      request: LoginRequest
    ): Effect.Effect<LoginOutcome, Failure | TokenNotFound, CurrentRealm>
  }
>()("sallyport/core/EmailCodeFlow") {
  static readonly layer = Layer.effect(
    EmailCodeFlow,
    Effect.gen(function* () {
      const users = yield* Users
      const codes = yield* EmailCodes
      const logins = yield* PasswordLoginFlow

      const scopeOf = ({ memberships, selectsOnlyOrg = false }: LoginRequest) => ({
        memberships,
        selectsOnlyOrg,
        remembersOrg: selectsOnlyOrg,
        orgId: undefined
      })

      const outcomeOf = (outcome: LoginOutcome, url: string | null, { state }: LoginRequest): LoginOutcome =>
        outcome._tag === "LoggedIn" && url !== null
          ? { ...outcome, returnUrl: withLoginToken(url, outcome.login.token, { isNew: false, state }) }
          : outcome

      const logIn = Effect.fn("EmailCodeFlow.logIn")(
        function* (app: ConnectedApp, request: EmailCodeRequest) {
          const url = yield* logins.returnUrlOf(app, request, false)
          const { name, token, code } = request
          const userId = users.idOfLogin(name)
          const outcome = yield* codes.logInByName({
            name,
            userId,
            token,
            code,
            pendingKind: "kli_",
            scope: scopeOf(request)
          })
          return outcomeOf(outcome, url, request)
        },
        Effect.catchTag("TokenNotFound", () => Effect.fail(new WrongCode()))
      )

      const open = Effect.fn("EmailCodeFlow.open")(function* (app: ConnectedApp, link: string, request: LoginRequest) {
        const url = yield* logins.returnUrlOf(app, request, false)
        return outcomeOf(yield* codes.open(link, "kli_", scopeOf(request)), url, request)
      })

      return EmailCodeFlow.of({ logIn: withApp(logIn), open: withApp(open) })
    })
  )
}
