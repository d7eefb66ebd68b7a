import { Context, Effect, Layer } from "effect"
import type { Blocked, LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import { methodsOf, PasskeyRefused, type PasskeyUse } from "#domain/Passkey"
import type { CreationOptions, PasskeyOptions, RequestOptions } from "#domain/PasskeyOptions"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { PresentedPasskey } from "#domain/SecondFactor"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { PasskeyAssertions } from "../credentials/PasskeyAssertions.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { LoginMetrics } from "./LoginMetrics.ts"
import { type MfaFailure, MfaLogins } from "./MfaLogins.ts"

/** A login with a passkey. The passkey also identifies the user. */
export interface PasskeyLogin {
  readonly token: string
  /** The authenticator's response, or undefined if the caller sent none. */
  readonly use: PasskeyUse | undefined
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

/** A passkey response that starts or completes a login. */
export interface PresentedLogin extends Omit<PasskeyLogin, "use"> {
  /** The authenticator's response, or undefined if the caller sent none. */
  readonly presented: PresentedPasskey | undefined
  /**
   * The token of the pending login to complete, with the passkey as its second factor. Undefined if the passkey starts a
   * login.
   */
  readonly waiting: string | undefined
}

type Failure = Rejected | LoginsOff | TokenNotFound | PasskeyRefused | Blocked | RealmNotFound

/** Logs users in with a passkey (C50). A login starts with `PasskeyAssertions.options`. */
export class PasskeyLogins extends Context.Service<
  PasskeyLogins,
  {
    /**
     * Creates a challenge. `origin` is the origin of the page. The default is the login host of the realm's oldest app. For a
     * pending login, the challenge is for its user's passkeys, or for a new passkey if the login sets up a second factor.
     * Otherwise the options are the same for everyone.
     */
    options(
      origin: string | undefined,
      waiting: { readonly kind: PendingKind; readonly token: string | undefined }
    ): Effect.Effect<
      PasskeyOptions<RequestOptions | CreationOptions>,
      Rejected | LoginsOff | TokenNotFound,
      CurrentRealm
    >
    /**
     * Records `user.login.succeeded` or `user.login.failed`. If the authenticator did not verify the user, and the user has a
     * second factor, a code is still needed, and `user.login.initiated` is recorded.
     */
    authenticate(request: PasskeyLogin): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
    /** Like `authenticate`, but can also complete a pending login. In that case, records the events of `MfaLogins.complete`. */
    present(request: PresentedLogin): Effect.Effect<LoginOutcome, Failure | MfaFailure, CurrentRealm>
  }
>()("sallyport/core/PasskeyLogins") {
  static readonly layer = Layer.effect(
    PasskeyLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const assertions = yield* PasskeyAssertions
      const completion = yield* LoginCompletion
      const mfaLogins = yield* MfaLogins
      const countOutcome = (yield* LoginMetrics).count("passkey")

      const logIn = Effect.fn("PasskeyLogins.authenticate")(function* ({
        token,
        use,
        pendingKind,
        scope
      }: PasskeyLogin) {
        if (use === undefined) return yield* rejection("response", "blank")
        const grant = yield* assertions
          .redeem({ token, use, user: undefined }, (user, proof) =>
            Effect.gen(function* () {
              const account = yield* accounts.find(user.realmId, user.id)
              const hasSecondFactor = account?.secondFactor === true && !proof.isUserVerified
              return yield* completion.takeNextStep(user, {
                methods: methodsOf(proof),
                hasSecondFactor,
                pendingKind
              })
            })
          )
          .pipe(Effect.catchTag("UserInactive", () => Effect.fail(new PasskeyRefused({}))))
        return yield* completion.complete(grant, scope)
      })

      const authenticate = (request: PasskeyLogin) => countOutcome(logIn(request))

      const present = Effect.fn("PasskeyLogins.present")(function* ({ presented, waiting, ...login }: PresentedLogin) {
        if (presented === undefined || waiting === undefined) {
          // A new passkey has no owner yet, so it can't begin a login.
          if (presented !== undefined && "creation" in presented) return yield* rejection("response", "passkey_invalid")
          return yield* authenticate({ ...login, use: presented?.use })
        }
        const { token, pendingKind, scope } = login
        const code = { token, ...presented }
        return yield* mfaLogins.complete({ kind: pendingKind, token: waiting, code, userId: undefined, scope })
      })

      const options: PasskeyLogins["Service"]["options"] = (origin, { kind, token }) =>
        token === undefined ? assertions.options(origin, undefined) : mfaLogins.passkeyChallenge(kind, token, origin)

      return PasskeyLogins.of({ options, authenticate, present })
    })
  )
}
