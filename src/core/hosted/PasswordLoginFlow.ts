import { Context, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type Blocked, LoginsOff, TokenNotFound, type WrongCode, WrongPassword } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { RedirectRefused, type ReturnTarget, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"
import { type Login, SessionNotFound } from "#domain/Session"
import { withApp } from "../apps/WithApp.ts"
import { MfaLogins } from "../login/MfaLogins.ts"
import { PasswordLogins } from "../login/PasswordLogins.ts"
import type { BrowserUser } from "../sessions/BrowserSessions.ts"
import { NewSessions } from "../sessions/NewSessions.ts"
import { Users } from "../users/Users.ts"

/** A login whose token is handed over. `url`: the place that takes it; null where the app has named none. */
export interface HandedOver {
  readonly _tag: "LoggedIn"
  readonly login: Login
  readonly url: string | null
}

/** What came of a login: it is handed over, or this token waits for a code. */
export type HostedLogin = HandedOver | { readonly _tag: "CodeDue"; readonly token: string }

/** Where a login is to lead. */
export interface Destination extends ReturnTarget {
  /** Whether the memberships are wanted beside the token. */
  readonly memberships: boolean
}

/** A password presented on the host of an app. */
export interface NamedLogin extends Destination {
  /** An e-mail or a username. */
  readonly name: string
  readonly password: string
}

/** A code presented for a login that waits. */
export interface PendingLogin extends Destination {
  /** The e-mail or username beside the token; undefined: none was named. */
  readonly name: string | undefined
  readonly token: string
  readonly code: string
}

type Failure = RedirectRefused | Rejected | LoginsOff | Blocked | RealmNotFound

/**
 * Logins by a person on the host of a connected app (`v1.hosted`, C28): whoever can't get
 * in learns nothing of why.
 */
export class PasswordLoginFlow extends Context.Service<
  PasswordLoginFlow,
  {
    /** The events of a login by password. */
    logIn(
      app: ConnectedApp,
      asked: NamedLogin
    ): Effect.Effect<HostedLogin, Failure | HashingBusy | WrongPassword, CurrentRealm>
    /** The events of a login by code. The token stays good for another code, five in all. */
    complete(
      app: ConnectedApp,
      asked: PendingLogin
    ): Effect.Effect<HandedOver, Failure | TokenNotFound | WrongCode, CurrentRealm>
    /** The place that takes over who a browser belongs to, with a token of now; `orgId`: of that one org. No events. */
    handOver(
      app: ConnectedApp,
      who: BrowserUser,
      asked: ReturnTarget & { readonly orgId: string | undefined }
    ): Effect.Effect<HandedOver, RedirectRefused | LoginsOff | SessionNotFound, CurrentRealm>
    /** The place that takes over a login; null where the app has named none. */
    placeOf(app: ConnectedApp, way: ReturnTarget, isNew: boolean): Effect.Effect<string | null, RedirectRefused>
  }
>()("sallyport/core/PasswordLoginFlow") {
  static readonly layer = Layer.effect(
    PasswordLoginFlow,
    Effect.gen(function* () {
      const users = yield* Users
      const passwordLogins = yield* PasswordLogins
      const mfaLogins = yield* MfaLogins
      const newSessions = yield* NewSessions

      const placeOf = Effect.fnUntraced(function* (app: ConnectedApp, way: ReturnTarget, isNew: boolean) {
        const place = resolveReturnUrl(app, way, isNew)
        if (!(place instanceof RedirectRefused)) return place
        return place.why === "handler_missing" ? null : yield* place
      })

      const handing = (place: string | null, login: Login, { state }: ReturnTarget): HandedOver => ({
        _tag: "LoggedIn",
        login,
        url: place === null ? null : withLoginToken(place, login.token, { state })
      })

      const scopeOf = ({ memberships }: Destination) => ({ memberships, orgId: undefined })

      const logIn = Effect.fn("PasswordLoginFlow.logIn")(
        function* (app: ConnectedApp, asked: NamedLogin) {
          const place = yield* placeOf(app, asked, false)
          const outcome = yield* passwordLogins.authenticate({
            userId: users.idOfLogin(asked.name),
            name: asked.name,
            hidesUnknown: true,
            password: asked.password,
            pendingKind: "kli_",
            scope: scopeOf(asked)
          })
          return outcome._tag === "CodeDue"
            ? { _tag: "CodeDue" as const, token: outcome.token }
            : handing(place, outcome.login, asked)
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new WrongPassword()))
      )

      const complete = Effect.fn("PasswordLoginFlow.complete")(
        function* (app: ConnectedApp, asked: PendingLogin) {
          const place = yield* placeOf(app, asked, false)
          const userId = asked.name === undefined ? undefined : yield* users.idOfLogin(asked.name)
          const { token, code } = asked
          const pending = { kind: "kli_" as const, token, code, userId, scope: scopeOf(asked) }
          const outcome = yield* mfaLogins.complete(pending)
          return outcome._tag === "CodeDue" ? yield* new TokenNotFound() : handing(place, outcome.login, asked)
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new TokenNotFound()))
      )

      const handOver = Effect.fn("PasswordLoginFlow.handOver")(function* (
        app: ConnectedApp,
        { user, session }: BrowserUser,
        { orgId, ...way }: ReturnTarget & { readonly orgId: string | undefined }
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const place = yield* placeOf(app, way, false)
        // An unmanaged realm keeps no session: each token is one of its own.
        const current = session ?? (yield* newSessions.begin(realm, user))
        if (current === undefined) return yield* new SessionNotFound({ id: "" })
        return handing(place, yield* newSessions.login(realm, current, user, { memberships: false, orgId }), way)
      })

      return PasswordLoginFlow.of({
        logIn: withApp(logIn),
        complete: withApp(complete),
        handOver: withApp(handOver),
        placeOf
      })
    })
  )
}
