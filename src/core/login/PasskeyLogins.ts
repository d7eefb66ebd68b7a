import { Context, Effect, Layer } from "effect"
import type { Blocked, LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import { methodsOf, PasskeyRefused, type PasskeyUse } from "#domain/Passkey"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { AccountsRepo } from "#store/AccountsRepo"
import { PasskeyAssertions } from "../credentials/PasskeyAssertions.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"

/** A login by a passkey, which also tells who logs in. */
export interface PasskeyLogin {
  readonly token: string
  /** Undefined: the caller sent no answer. */
  readonly use: PasskeyUse | undefined
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

type Failure = Rejected | LoginsOff | TokenNotFound | PasskeyRefused | Blocked | RealmNotFound

/** Logins by passkey (C50). They begin with `PasskeyAssertions.options`. */
export class PasskeyLogins extends Context.Service<
  PasskeyLogins,
  {
    /**
     * Records `user.login.succeeded`; `user.login.initiated` if the authenticator did not check who used it and the user has a
     * second factor, whose code then completes the login; or `user.login.failed`.
     */
    authenticate(request: PasskeyLogin): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
  }
>()("sallyport/core/PasskeyLogins") {
  static readonly layer = Layer.effect(
    PasskeyLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const assertions = yield* PasskeyAssertions
      const completion = yield* LoginCompletion

      const authenticate = Effect.fn("PasskeyLogins.authenticate")(function* ({
        token,
        use,
        pendingKind,
        scope
      }: PasskeyLogin) {
        if (use === undefined) return yield* rejected("response", "blank")
        const grant = yield* assertions
          .redeem({ token, use, user: undefined }, (user, proof) =>
            Effect.gen(function* () {
              const account = yield* accounts.find(user.realmId, user.id)
              const secondFactor = account?.secondFactor === true && !proof.userVerified
              return yield* completion.proceed(user, { methods: methodsOf(proof), secondFactor, pendingKind })
            })
          )
          .pipe(Effect.catchTag("UserInactive", () => Effect.fail(new PasskeyRefused())))
        return yield* completion.complete(grant, scope)
      })

      return PasskeyLogins.of({ authenticate })
    })
  )
}
