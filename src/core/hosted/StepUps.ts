import { Context, DateTime, Effect, Layer } from "effect"
import type { LoginsOff, MfaRequired } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isRecentProof } from "#domain/Reauthentication"
import { canCompleteLogin, type SecondFactor, secondFactorsAfter } from "#domain/SecondFactor"
import { SessionNotFound } from "#domain/Session"
import { higherLevel, type LoginRequirements, type MissingProof, missingProof } from "#domain/StepUp"
import { Transaction } from "#platform/Transaction"
import { SecondFactors } from "../credentials/SecondFactors.ts"
import { LoginCompletion } from "../login/LoginCompletion.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import type { LoggedInVisitor } from "../sessions/BrowserSessions.ts"

/** Performs step-ups: a logged-in browser adds the proof that an app requires and its login lacks (C148). */
export class StepUps extends Context.Service<
  StepUps,
  {
    /**
     * Returns the proof that a browser's login lacks. If the realm requires a second factor, logins from before the
     * requirement lack one too, unless the user trusts the browser (C310). A user without a second factor needs a recent
     * proof to set one up (SEC-141).
     */
    missing(visitor: LoggedInVisitor, demands: LoginRequirements): Effect.Effect<MissingProof, never, CurrentRealm>
    /** The user's second factors, in the order in which pages offer them. */
    offers(visitor: LoggedInVisitor): Effect.Effect<ReadonlyArray<SecondFactor>, never, CurrentRealm>
    /** Requires a second factor, or the setup of one, from a logged-in browser. Records `user.login.initiated`. */
    begin(
      visitor: LoggedInVisitor
    ): Effect.Effect<MfaRequired, SessionNotFound | LoginsOff | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/StepUps") {
  static readonly layer = Layer.effect(
    StepUps,
    Effect.gen(function* () {
      const completion = yield* LoginCompletion
      const secondFactors = yield* SecondFactors
      const devices = yield* TrustedDevices
      const transaction = yield* Transaction

      const missing = Effect.fnUntraced(function* (visitor: LoggedInVisitor, { maxAge, level }: LoginRequirements) {
        const { user, authentication, provedAt } = visitor
        const { mfa } = yield* CurrentRealm
        const demands = { maxAge, level: mfa === "required" ? higherLevel(level, "aal2") : level }
        const now = yield* DateTime.now
        const found = missingProof(demands, authentication, now)
        // The realm requires the second factor, but the app does not.
        if (found === "second_factor" && level === "aal1" && (yield* devices.isTrusted(user.id))) return "nothing"
        if (found !== "second_factor" || isRecentProof(provedAt, now)) return found
        const factors = secondFactorsAfter(authentication?.methods ?? [], yield* secondFactors.ofUser(user.id))
        return canCompleteLogin(factors) ? found : "login"
      })

      const begin = Effect.fn("StepUps.begin")(function* ({ user, login, authentication }: LoggedInVisitor) {
        if (authentication === null) return yield* new SessionNotFound({ id: "" })
        const grant = yield* transaction.run(completion.requireSecondFactor(user, login, authentication))
        return { ...grant, _tag: "MfaRequired" as const }
      })

      return StepUps.of({
        missing,
        offers: ({ user }) => secondFactors.ofUser(user.id),
        begin
      })
    })
  )
}
