import { Context, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { Blocked, LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import type { PasskeyRefused, PasskeyUse } from "#domain/Passkey"
import type { PasskeyOptions, RequestOptions } from "#domain/PasskeyOptions"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { RedirectRefused } from "#domain/ReturnUrl"
import type { User } from "#domain/User"
import { withApp } from "../apps/WithApp.ts"
import { PasskeyAssertions } from "../credentials/PasskeyAssertions.ts"
import { PasskeyLogins } from "../login/PasskeyLogins.ts"
import { type LoginRequest, loggedInAt, returnUrlOf, scopeOf } from "./LoginReturn.ts"

/** A login with a passkey. The passkey also identifies the user. */
export interface PasskeyRequest extends LoginRequest {
  /** The token of the challenge. */
  readonly token: string
  /** The authenticator's response, or undefined if the browser sent none. */
  readonly use: PasskeyUse | undefined
}

type Failure = RedirectRefused | Rejected | LoginsOff | TokenNotFound | PasskeyRefused | Blocked | RealmNotFound

/** Logs users in with a passkey, on the host of a connected app (C50). */
export class PasskeyLoginFlow extends Context.Service<
  PasskeyLoginFlow,
  {
    /**
     * Creates a challenge for any user's passkey, for a page with this origin. The options are the same for everyone
     * (SEC-123).
     */
    options(origin: string): Effect.Effect<PasskeyOptions<RequestOptions>, Rejected | LoginsOff, CurrentRealm>
    /**
     * Creates a challenge for the passkeys of a logged-in user, for a page with this origin. Returns undefined if no passkey
     * of the user works there.
     */
    optionsOf(
      user: User,
      origin: string
    ): Effect.Effect<PasskeyOptions<RequestOptions> | undefined, never, CurrentRealm>
    /** Logs in with a passkey. Records the events of `PasskeyLogins`. */
    logIn(app: ConnectedApp, request: PasskeyRequest): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
  }
>()("sallyport/core/PasskeyLoginFlow") {
  static readonly layer = Layer.effect(
    PasskeyLoginFlow,
    Effect.gen(function* () {
      const assertions = yield* PasskeyAssertions
      const logins = yield* PasskeyLogins

      const logIn = Effect.fn("PasskeyLoginFlow.logIn")(function* (app: ConnectedApp, request: PasskeyRequest) {
        const url = yield* returnUrlOf(app, request, false)
        const { token, use } = request
        const outcome = yield* logins.authenticate({ token, use, pendingKind: "kli_", scope: scopeOf(request) })
        return outcome._tag === "LoggedIn" ? loggedInAt(url, outcome.login, request) : outcome
      })

      return PasskeyLoginFlow.of({
        options: (origin) => assertions.options(origin, undefined),
        optionsOf: (user, origin) =>
          Effect.catchTag(assertions.options(origin, user), ["Rejected", "LoginsOff"], () => Effect.succeed(undefined)),
        logIn: withApp(logIn)
      })
    })
  )
}
