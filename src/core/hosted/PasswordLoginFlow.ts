import { Context, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import {
  type Blocked,
  type LoggedIn,
  type LoginOutcome,
  LoginsOff,
  TokenNotFound,
  type WrongCode,
  WrongPassword
} from "#domain/Login"
import { parseTypedName } from "#domain/LoginName"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { RedirectRefused, ReturnTarget } from "#domain/ReturnUrl"
import type { SecondFactorAnswer } from "#domain/SecondFactor"
import { SessionNotFound } from "#domain/Session"
import { withApp } from "../apps/WithApp.ts"
import { type MfaLoggedIn, MfaLogins } from "../login/MfaLogins.ts"
import { PasswordLogins } from "../login/PasswordLogins.ts"
import type { BrowserUser } from "../sessions/BrowserSessions.ts"
import { NewSessions } from "../sessions/NewSessions.ts"
import { Users } from "../users/Users.ts"
import { type LoginRequest, loggedInAt, returnUrlOf, scopeOf } from "./LoginReturn.ts"

/** The target to which a logged-in user returns, and the contents of the token. */
export interface ContinueRequest extends ReturnTarget {
  /** If set, the token contains only the membership in this org. */
  readonly orgId: string | undefined
  /** Whether the token names the user's only org as selected. */
  readonly selectsOnlyOrg?: boolean
  /** Whether the user was just created. */
  readonly isNew?: boolean
}

/** A login with a password. */
export interface PasswordRequest extends LoginRequest {
  /** An email or a username. */
  readonly name: string
  readonly password: string
  /** Whether a trusted device skips the second factor. The default is no. */
  readonly acceptsTrustedDevice?: boolean
}

/** A second-factor code for a pending login. */
export interface MfaRequest extends LoginRequest {
  /** The email or username that was sent with the token, if any. */
  readonly name: string | undefined
  readonly token: string
  readonly code: SecondFactorAnswer
  /** Whether to trust the current browser. The default is no. */
  readonly trustsDevice?: boolean
  /** Whether the user was just created. */
  readonly isNew?: boolean
}

type Failure = RedirectRefused | Rejected | LoginsOff | Blocked | RealmNotFound

/**
 * Logs users in with a password, on the host of a connected app (`v1.hosted`, C28). An error does not reveal whether the name,
 * the password or the state of the account was wrong.
 */
export class PasswordLoginFlow extends Context.Service<
  PasswordLoginFlow,
  {
    /** Logs in with a password. Records the events of `PasswordLogins`. */
    logIn(
      app: ConnectedApp,
      request: PasswordRequest
    ): Effect.Effect<LoginOutcome, Failure | HashingBusy | WrongPassword, CurrentRealm>
    /** Completes a login with a second-factor code. A login allows five attempts. Records the events of `MfaLogins`. */
    complete(
      app: ConnectedApp,
      request: MfaRequest
    ): Effect.Effect<MfaLoggedIn, Failure | TokenNotFound | WrongCode, CurrentRealm>
    /**
     * Returns a logged-in user to the app with a new token. The session stores the org that the token selects. Records no
     * event.
     */
    continueSession(
      app: ConnectedApp,
      browserUser: BrowserUser,
      request: ContinueRequest
    ): Effect.Effect<LoggedIn, RedirectRefused | LoginsOff | SessionNotFound, CurrentRealm>
    /** Returns the URL to which logins return, without a token, or null if the app has no login handler. */
    returnUrlOf(app: ConnectedApp, target: ReturnTarget, isNew: boolean): Effect.Effect<string | null, RedirectRefused>
  }
>()("sallyport/core/PasswordLoginFlow") {
  static readonly layer = Layer.effect(
    PasswordLoginFlow,
    Effect.gen(function* () {
      const users = yield* Users
      const passwordLogins = yield* PasswordLogins
      const mfaLogins = yield* MfaLogins
      const newSessions = yield* NewSessions

      const logIn = Effect.fn("PasswordLoginFlow.logIn")(
        function* (app: ConnectedApp, request: PasswordRequest) {
          const url = yield* returnUrlOf(app, request, false)
          const outcome = yield* passwordLogins.authenticate({
            loginNameIn: (realm) => parseTypedName(realm, request.name),
            name: request.name,
            hidesUnknown: true,
            password: request.password,
            pendingKind: "kli_",
            acceptsTrustedDevice: request.acceptsTrustedDevice ?? false,
            scope: scopeOf(request)
          })
          return outcome._tag === "LoggedIn" ? loggedInAt(url, outcome.login, request) : outcome
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new WrongPassword({ reason: "unknown_user" })))
      )

      const complete = Effect.fn("PasswordLoginFlow.complete")(
        function* (app: ConnectedApp, request: MfaRequest) {
          const { isNew = false, trustsDevice = false } = request
          const url = yield* returnUrlOf(app, request, isNew)
          const userId = request.name === undefined ? undefined : yield* users.idOfLogin(request.name)
          const { token, code } = request
          const pending = { kind: "kli_" as const, token, code, userId, scope: scopeOf(request), trustsDevice }
          const { login, trusted } = yield* mfaLogins.complete(pending)
          return { ...loggedInAt(url, login, request, isNew), trusted }
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new TokenNotFound()))
      )

      const continueSession = Effect.fn("PasswordLoginFlow.continueSession")(function* (
        app: ConnectedApp,
        { user, session, authentication }: BrowserUser,
        { orgId, selectsOnlyOrg = false, isNew = false, ...target }: ContinueRequest
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const url = yield* returnUrlOf(app, target, isNew)
        // Unmanaged realms store no sessions, so each token gets a new session ID.
        const current = session ?? (yield* newSessions.begin(realm, user, authentication))
        if (current === undefined) return yield* new SessionNotFound({ id: "" })
        const scope = { memberships: selectsOnlyOrg, selectsOnlyOrg, remembersOrg: true, orgId }
        return loggedInAt(url, yield* newSessions.login(realm, current, user, scope), target, isNew)
      })

      return PasswordLoginFlow.of({
        logIn: withApp(logIn),
        complete: withApp(complete),
        continueSession: withApp(continueSession),
        returnUrlOf
      })
    })
  )
}
