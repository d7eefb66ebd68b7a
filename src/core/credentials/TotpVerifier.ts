import { Context, DateTime, Effect, Layer } from "effect"
import type { CredentialDetails } from "#domain/Credential"
import { type Blocked, WrongCode } from "#domain/Login"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type User, UserNotFound } from "#domain/User"
import { SecretUnavailable } from "#platform/Secrets"
import { CredentialsRepo, locationOf } from "#store/CredentialsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { matchingStep } from "../tokens/Totp.ts"

/** A TOTP code that a user entered, and the devices that it may come from. */
export interface PresentedCode {
  readonly user: User
  readonly code: string
  readonly devices: ReadonlyArray<CredentialDetails>
  /** The events to record if the code is wrong, besides `user.blocked`. */
  readonly failureEvents: ReadonlyArray<NewEvent>
}

/** Verifies TOTP codes, for logins and for new devices (C24, C26). */
export class TotpVerifier extends Context.Service<
  TotpVerifier,
  {
    /**
     * Counts the attempt. If the code is right, uses up its time step and runs `onSuccess`, in one transaction; codes
     * of that step or an older one are no longer accepted. `onSuccess` gets the user as just read and locked. Not to be
     * called inside a transaction. Dies with `SecretUnavailable`, and counts nothing, if no device's secret can be decrypted.
     */
    redeem<A, E, R>(
      presented: PresentedCode,
      onSuccess: (user: User, device: CredentialDetails) => Effect.Effect<A, E, R>
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
      const locks = yield* AccountLocks

      const redeem = <A, E, R>(
        { user, code, devices, failureEvents }: PresentedCode,
        onSuccess: (user: User, device: CredentialDetails) => Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          const [device] = devices
          if (device !== undefined && devices.every(({ secret }) => secret === null)) {
            return yield* Effect.die(new SecretUnavailable({ location: locationOf(device.realmId, device.id) }))
          }
          const attempt = yield* attempts.count(user, "code")
          const now = yield* DateTime.now
          const inTransaction = Effect.gen(function* () {
            const lockedUser = yield* users.findForUpdate(user.realmId, user.id)
            if (lockedUser === undefined) return yield* new UserNotFound({ id: user.id })
            for (const device of devices) {
              const step = device.secret === null ? undefined : matchingStep(device.secret, code, now)
              if (step === undefined || !(yield* credentials.acceptStep(device.realmId, device.id, step))) continue
              yield* attempt.onSuccess
              return { result: yield* onSuccess(lockedUser, device) }
            }
            const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
            yield* journal.record([...failureEvents, ...blocked])
            return undefined
          })
          const redeemed = yield* locks.transact(user.id, inTransaction)
          return redeemed === undefined ? yield* new WrongCode() : redeemed.result
        })

      return TotpVerifier.of({ redeem })
    })
  )
}
