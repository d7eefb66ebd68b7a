import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type Blocked, type LoggedIn, LoginsOff, TokenNotFound, type WrongCode } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { isSecondFactorDue, type SecondFactor } from "#domain/SecondFactor"
import type { UserNotFound } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { SecondFactorsRepo } from "#store/SecondFactorsRepo"
import { CodeVerifier } from "../credentials/CodeVerifier.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Enrolments } from "./Enrolments.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"

/** A second-factor code for a pending login. */
export interface CodeLogin {
  readonly kind: PendingKind
  readonly token: string
  readonly code: string
  /** The user that the caller names in addition to the token, if any. */
  readonly userId: UserId | undefined
  readonly scope: TokenScope
}

/** Why a second factor does not complete a login. */
export type MfaFailure = Rejected | LoginsOff | TokenNotFound | WrongCode | Blocked | UserNotFound | RealmNotFound

/** Completes logins by the code of a second factor (`v1.users`, C14, C24, C26, C142). */
export class MfaLogins extends Context.Service<
  MfaLogins,
  {
    /** Records `user.login.succeeded` or `user.login.failed`. The token allows five codes. */
    complete(request: CodeLogin): Effect.Effect<LoggedIn, MfaFailure, CurrentRealm>
    /**
     * What a pending login can be completed with, in the order in which pages offer it. Empty if the token is not valid or
     * can no longer be used.
     */
    offers(kind: PendingKind, token: string): Effect.Effect<ReadonlyArray<SecondFactor>, never, CurrentRealm>
  }
>()("sallyport/core/MfaLogins") {
  static readonly layer = Layer.effect(
    MfaLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const tokens = yield* OneTimeTokens
      const codes = yield* CodeVerifier
      const secondFactors = yield* SecondFactorsRepo
      const completion = yield* LoginCompletion
      const locks = yield* AccountLocks
      const enrolments = yield* Enrolments

      /** The pending login of a token: its own, or that of a code by mail that was requested for it. */
      const findPending = Effect.fnUntraced(function* ({ kind, token }: CodeLogin) {
        const found = yield* tokens.findLive([kind, "tec:"], token)
        if (found.purpose === "login") return found
        // The link of a mail is no caller's token.
        return found.mailed ? yield* new TokenNotFound() : yield* tokens.findLogin(found)
      })

      const complete = Effect.fn("MfaLogins.complete")(function* (request: CodeLogin) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        if (request.code === "") return yield* rejected("code", "blank")
        const pending = yield* findPending(request)
        const { userId } = pending
        if (request.userId !== undefined && request.userId !== userId) return yield* new TokenNotFound()
        const account = yield* accounts.find(realm.id, userId)
        if (account?.user.state !== "active") return yield* new TokenNotFound()
        if (pending.secret !== null) {
          yield* locks.transact(userId, tokens.countCode(pending))
          const first = { pending, user: account.user, code: request.code }
          return yield* completion.logIn(yield* enrolments.complete(first), request.scope)
        }
        const factors = yield* secondFactors.of(realm.id, userId)
        if (!isSecondFactorDue(factors)) return yield* new LoginsOff({ why: "provider_inactive" })
        yield* locks.transact(userId, tokens.countCode(pending))

        const attempt = {
          user: account.user,
          code: request.code,
          devices: factors.includes("totp") ? yield* credentials.activeTotps(realm.id, userId) : [],
          orRecoveryCode: true,
          orMailedFor: pending.methods.includes("email") ? undefined : pending,
          failureEvents: [{ eventType: "user.login.failed" as const, userId }]
        }
        const grant = yield* codes
          .redeem(attempt, (user, method) =>
            Effect.andThen(tokens.consume(pending), completion.addFactor(user, pending, [method]))
          )
          .pipe(Effect.catchTag("UserInactive", () => Effect.fail(new TokenNotFound())))
        return yield* completion.logIn(grant, request.scope)
      })

      const offers = Effect.fn("MfaLogins.offers")(
        function* (kind: PendingKind, token: string) {
          const { realmId, userId, methods, secret } = yield* tokens.findLive([kind], token)
          // Such a login sets a second factor up.
          if (secret !== null) return []
          const factors = yield* secondFactors.of(realmId, userId)
          return factors.filter((factor) => factor !== "email_code" || !methods.includes("email"))
        },
        Effect.catchTag("TokenNotFound", () => Effect.succeed<ReadonlyArray<SecondFactor>>([]))
      )

      return MfaLogins.of({ complete, offers })
    })
  )
}
