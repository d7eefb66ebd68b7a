import { Context, Effect, Layer } from "effect"
import type { AuthenticationMethod } from "#domain/Authentication"
import type { UserId } from "#domain/Ids"
import { type Blocked, type LoggedIn, LoginsOff, TokenNotFound, WrongCode } from "#domain/Login"
import { methodsOf } from "#domain/Passkey"
import type { CreationOptions, PasskeyOptions, RequestOptions } from "#domain/PasskeyOptions"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import {
  canCompleteLogin,
  type PasskeyAnswer,
  type SecondFactor,
  type SecondFactorAnswer,
  secondFactorsAfter
} from "#domain/SecondFactor"
import type { User, UserNotFound } from "#domain/User"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { type CodeProof, CodeVerifier } from "../credentials/CodeVerifier.ts"
import { PasskeyAssertions } from "../credentials/PasskeyAssertions.ts"
import { SecondFactors } from "../credentials/SecondFactors.ts"
import { loginFailed } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import { type TrustedDeviceSecrets, TrustedDevices } from "../provisioning/TrustedDevices.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Enrolments } from "./Enrolments.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { LoginMetrics } from "./LoginMetrics.ts"

/** A second factor for a pending login. */
export interface CodeLogin {
  readonly kind: PendingKind
  readonly token: string
  readonly code: SecondFactorAnswer
  /** The user that the caller named in addition to the token, if any. */
  readonly userId: UserId | undefined
  readonly scope: TokenScope
  /** Whether to trust the current browser, if the factor is an authenticator app or a passkey. The default is no (C310). */
  readonly trustsDevice?: boolean
}

/** A login completed with a second factor. `trusted` is set if the user now trusts the browser. */
export interface MfaLoggedIn extends LoggedIn {
  readonly trusted?: TrustedDeviceSecrets | undefined
}

/** The reasons why a second factor does not complete a login. */
export type MfaFailure = Rejected | LoginsOff | TokenNotFound | WrongCode | Blocked | UserNotFound | RealmNotFound

/** Completes logins with a second factor: a code (`v1.users`, C14, C24, C26, C140), or a passkey (C137). */
export class MfaLogins extends Context.Service<
  MfaLogins,
  {
    /** Completes a pending login. Records `user.login.succeeded` or `user.login.failed`. Each token allows five attempts. */
    complete(request: CodeLogin): Effect.Effect<MfaLoggedIn, MfaFailure, CurrentRealm>
    /**
     * The second factors that can complete a pending login, in the order in which pages offer them. Empty if the token is
     * invalid or can no longer be used.
     */
    offers(kind: PendingKind, token: string): Effect.Effect<ReadonlyArray<SecondFactor>, never, CurrentRealm>
    /**
     * Creates a challenge for the passkeys of the user whose login is pending. `origin` is the origin of the page. The default
     * is the login host of the realm's oldest app. Returns undefined if no passkey can complete the login. Rejects an origin
     * that does not belong to an app of the realm.
     */
    passkeyOptions(
      kind: PendingKind,
      token: string,
      origin: string | undefined
    ): Effect.Effect<PasskeyOptions<RequestOptions> | undefined, Rejected, CurrentRealm>
    /**
     * Like `passkeyOptions`, but if the login sets up a second factor, the challenge is for a new passkey. Fails if no passkey
     * can complete the login.
     */
    passkeyChallenge(
      kind: PendingKind,
      token: string,
      origin: string | undefined
    ): Effect.Effect<PasskeyOptions<RequestOptions | CreationOptions>, TokenNotFound | Rejected, CurrentRealm>
  }
>()("sallyport/core/MfaLogins") {
  static readonly layer = Layer.effect(
    MfaLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const tokens = yield* OneTimeTokens
      const codes = yield* CodeVerifier
      const assertions = yield* PasskeyAssertions
      const secondFactors = yield* SecondFactors
      const completion = yield* LoginCompletion
      const locks = yield* AccountLocks
      const enrolments = yield* Enrolments
      const devices = yield* TrustedDevices
      const refused = yield* RejectedLogins
      const countOutcome = (yield* LoginMetrics).count("second_factor")

      /**
       * Finds the pending login of a token. If the token came with an emailed code, finds the login for which the code was
       * requested.
       */
      const findPending = Effect.fnUntraced(function* ({ kind, token }: CodeLogin) {
        const found = yield* tokens.findLive([kind, "tec:"], token)
        if (found.purpose === "login") return found
        // A token that was emailed as a link can't be used as a caller's token.
        return found.mailed ? yield* new TokenNotFound() : yield* tokens.findLogin(found)
      })

      const complete = Effect.fn("MfaLogins.complete")(function* (request: CodeLogin) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const { code } = request
        if (code === "") return yield* rejection("code", "blank")
        const pending = yield* findPending(request)
        const { userId } = pending
        if (request.userId !== undefined && request.userId !== userId) return yield* new TokenNotFound()
        const account = yield* accounts.find(realm.id, userId)
        if (account?.user.state !== "active") return yield* new TokenNotFound()
        if (pending.secret !== null) {
          yield* locks.transact(userId, tokens.countCode(pending))
          const shown = typeof code === "string" || "creation" in code ? code : ""
          const first = { pending, user: account.user, shown }
          return yield* completion.logIn(yield* enrolments.complete(first), request.scope)
        }
        const factors = secondFactorsAfter(pending.methods, yield* secondFactors.ofUser(userId))
        if (!canCompleteLogin(factors)) return yield* refused.failMethodOff(userId)
        yield* locks.transact(userId, tokens.countCode(pending))

        const start = Effect.fnUntraced(function* (
          user: User,
          methods: ReadonlyArray<AuthenticationMethod>,
          proof: CodeProof | "passkey"
        ) {
          yield* tokens.consume(pending)
          const grant = yield* completion.addFactor(user, pending, methods, proof === "recovery_code")
          const isTrusting = request.trustsDevice === true && (proof === "totp" || proof === "passkey")
          return { ...grant, trusted: isTrusting ? yield* devices.trust(user) : undefined }
        })
        const byPasskey = Effect.fnUntraced(function* (answer: PasskeyAnswer) {
          if (!factors.includes("passkey")) return yield* new WrongCode()
          return yield* assertions
            .redeem({ ...answer, user: account.user }, (user, proof) => start(user, methodsOf(proof), "passkey"))
            .pipe(Effect.catchTag("PasskeyRefused", () => Effect.fail(new WrongCode())))
        })
        const byCode = Effect.fnUntraced(function* (code: string) {
          const attempt = {
            user: account.user,
            code,
            devices: factors.includes("totp") ? yield* credentials.activeTotps(realm.id, userId) : [],
            acceptsRecoveryCode: true,
            emailedCodeFor: factors.includes("email_code") && !pending.methods.includes("email") ? pending : undefined,
            failureEvents: [loginFailed(userId, "wrong_code")]
          }
          return yield* codes.redeem(attempt, (user, proof) =>
            start(user, [proof === "email" ? "email" : "otp"], proof)
          )
        })
        const grant = yield* Effect.gen(function* () {
          if (typeof code === "string") return yield* byCode(code)
          return "use" in code ? yield* byPasskey(code) : yield* new WrongCode()
        }).pipe(Effect.catchTag("UserInactive", () => Effect.fail(new TokenNotFound())))
        return { ...(yield* completion.logIn(grant, request.scope)), trusted: grant.trusted }
      })

      const offers = Effect.fn("MfaLogins.offers")(
        function* (kind: PendingKind, token: string) {
          const { userId, methods, secret } = yield* tokens.findLive([kind], token)
          // This login sets up a second factor, so no existing factor can complete it.
          if (secret !== null) return []
          const factors = secondFactorsAfter(methods, yield* secondFactors.ofUser(userId))
          return factors.filter((factor) => factor !== "email_code" || !methods.includes("email"))
        },
        Effect.catchTag("TokenNotFound", () => Effect.succeed<ReadonlyArray<SecondFactor>>([]))
      )

      const passkeyOptions = Effect.fn("MfaLogins.passkeyOptions")(
        function* (kind: PendingKind, token: string, origin: string | undefined) {
          const { realmId, userId, methods } = yield* tokens.findLive([kind], token)
          const factors = secondFactorsAfter(methods, yield* secondFactors.ofUser(userId))
          const account = factors.includes("passkey") ? yield* accounts.find(realmId, userId) : undefined
          return account === undefined ? undefined : yield* assertions.options(origin, account.user)
        },
        Effect.catchTag(["TokenNotFound", "LoginsOff"], () => Effect.succeed(undefined))
      )

      const passkeyChallenge = Effect.fn("MfaLogins.passkeyChallenge")(function* (
        kind: PendingKind,
        token: string,
        origin: string | undefined
      ) {
        const creation = yield* enrolments.passkeyOptions(kind, token, origin)
        return creation ?? (yield* passkeyOptions(kind, token, origin)) ?? (yield* new TokenNotFound())
      })

      return MfaLogins.of({
        complete: (request) => countOutcome(complete(request)),
        offers,
        passkeyOptions,
        passkeyChallenge
      })
    })
  )
}
