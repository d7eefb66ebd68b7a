import { Context, DateTime, Effect, Layer } from "effect"
import type { CredentialDetails } from "#domain/Credential"
import { type Blocked, WrongCode } from "#domain/Login"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type User, UserNotFound } from "#domain/User"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal, type NewEvent } from "../events/Journal.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { matchingStep } from "../tokens/Totp.ts"

/** A code that a user presents: of one of these devices, or it is wrong. */
export interface PresentedCode {
  readonly user: User
  readonly code: string
  readonly devices: ReadonlyArray<CredentialDetails>
  /** What to record of a wrong one, besides that it blocks the user. */
  readonly failed: ReadonlyArray<NewEvent>
}

/** The checking of codes, for logins and for new devices alike (C24, C26). */
export class TotpVerifier extends Context.Service<
  TotpVerifier,
  {
    /**
     * Counts the try; for the right code uses its step up and does what it allows, in one transaction. No other code of
     * that step or of an older one is taken. `allowed` gets the user as it is now, held. Not to be called inside a
     * transaction.
     */
    redeem<A, E, R>(
      presented: PresentedCode,
      allowed: (user: User, device: CredentialDetails) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | WrongCode | Blocked | UserNotFound | RealmNotFound, R | CurrentRealm>
  }
>()("sallyport/core/TotpVerifier") {
  static readonly layer = Layer.effect(
    TotpVerifier,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const credentials = yield* CredentialsRepo
      const users = yield* UsersRepo
      const journal = yield* Journal
      const turns = yield* AccountLocks

      const redeem = <A, E, R>(
        { user, code, devices, failed }: PresentedCode,
        allowed: (user: User, device: CredentialDetails) => Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          const { isLast: last, onSuccess: succeeded } = yield* attempts.count(user, "code")
          const now = yield* DateTime.now
          const inTransaction = Effect.gen(function* () {
            const held = yield* users.findForUpdate(user.realmId, user.id)
            if (held === undefined) return yield* new UserNotFound({ id: user.id })
            for (const device of devices) {
              const step = device.secret === null ? undefined : matchingStep(device.secret, code, now)
              if (step === undefined || !(yield* credentials.acceptStep(device.realmId, device.id, step))) continue
              yield* succeeded
              return { done: yield* allowed(held, device) }
            }
            const blocked = last ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
            yield* journal.record([...failed, ...blocked])
            return undefined
          })
          const redeemed = yield* turns.transact(user.id, inTransaction)
          return redeemed === undefined ? yield* new WrongCode() : redeemed.done
        })

      return TotpVerifier.of({ redeem })
    })
  )
}
