import { Context, DateTime, Effect, Layer } from "effect"
import type { CredentialDetails } from "#domain/Credential"
import { isSameEmail } from "#domain/Email"
import { type Blocked, WrongCode } from "#domain/Login"
import type { LoginMethod } from "#domain/LoginMethod"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { parseRecoveryCode } from "#domain/RecoveryCode"
import { type User, UserNotFound } from "#domain/User"
import { SecretUnavailable } from "#platform/Secrets"
import type { OneTimeToken } from "#store/login/OneTimeTokensRepo"
import { CredentialsRepo, locationOf } from "#store/users/CredentialsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import { MailedCodes } from "../tokens/MailedCodes.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { RecoveryCodes } from "../tokens/RecoveryCodes.ts"
import { matchingStep } from "../tokens/Totp.ts"

/** What a right code was. */
export type CodeProof = Extract<LoginMethod, "totp" | "recovery_code" | "email">

/** A code entered by a user, and the codes that it may match. */
export interface PresentedCode {
  readonly user: User
  readonly code: string
  /** The TOTP devices that may have produced the code. */
  readonly devices: ReadonlyArray<CredentialDetails>
  /** Whether a recovery code of the user is accepted too. */
  readonly acceptsRecoveryCode: boolean
  /** The pending login for which a code was emailed, if that code is accepted too. */
  readonly emailedCodeFor?: OneTimeToken | undefined
  /** The events to record if the code is wrong, besides `user.blocked`. */
  readonly failureEvents: ReadonlyArray<NewEvent>
}

/**
 * Verifies TOTP codes, recovery codes and emailed codes, which share one attempt counter. Used for logins, and for adding or
 * removing a device (C24, C26, C51).
 */
export class CodeVerifier extends Context.Service<
  CodeVerifier,
  {
    /**
     * Counts the attempt. If the code is right, uses it up and runs `onSuccess`, in one transaction. `onSuccess` receives
     * the user as just read and locked. Must not be called inside a transaction.
     *
     * After a TOTP code, codes of the same or an older time step are rejected. A recovery code records
     * `user.recovery_code.used`. Dies with `SecretUnavailable`, without counting the attempt, if the code can only be from
     * a device and no device's secret can be decrypted.
     */
    redeem<A, E, R>(
      presented: PresentedCode,
      onSuccess: (user: User, proof: CodeProof) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | WrongCode | Blocked | UserNotFound | RealmNotFound, R | CurrentRealm>
  }
>()("sallyport/core/CodeVerifier") {
  static readonly layer = Layer.effect(
    CodeVerifier,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const trustedDevices = yield* TrustedDevices
      const credentials = yield* CredentialsRepo
      const users = yield* UsersRepo
      const journal = yield* Journal
      const locks = yield* AccountLocks
      const recoveryCodes = yield* RecoveryCodes
      const mailedCodes = yield* MailedCodes
      const tokens = yield* OneTimeTokens

      /**
       * Uses up the time step of a TOTP code. Returns false if the code matches no device, or if its time step was used
       * before.
       */
      const useStep = Effect.fnUntraced(function* (
        devices: ReadonlyArray<CredentialDetails>,
        code: string,
        now: DateTime.Utc
      ) {
        for (const { realmId, id, secret } of devices) {
          const step = secret === null ? undefined : matchingStep(secret, code, now)
          if (step !== undefined && (yield* credentials.acceptStep(realmId, id, step))) return true
        }
        return false
      })

      /** Uses up an emailed code, if the user's email is still the one to which it was sent. */
      const useMailed = Effect.fnUntraced(function* (login: OneTimeToken, user: User, code: string) {
        const mailed = yield* mailedCodes.find(login, code)
        if (mailed === undefined || !isSameEmail(mailed.email, user.email)) return false
        return yield* Effect.match(tokens.consume(mailed), { onSuccess: () => true, onFailure: () => false })
      })

      const redeem = <A, E, R>(
        { user, code, devices, acceptsRecoveryCode, emailedCodeFor, failureEvents }: PresentedCode,
        onSuccess: (user: User, proof: CodeProof) => Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          const [device] = devices
          const mayRecover = acceptsRecoveryCode && parseRecoveryCode(code) !== undefined
          if (!mayRecover && device !== undefined && devices.every(({ secret }) => secret === null)) {
            return yield* Effect.die(new SecretUnavailable({ location: locationOf(device.realmId, device.id) }))
          }
          const attempt = yield* attempts.count(user, "code")
          const now = yield* DateTime.now
          const inTransaction = Effect.gen(function* () {
            const lockedUser = yield* users.findForUpdate(user.realmId, user.id)
            if (lockedUser === undefined) return yield* new UserNotFound({ id: user.id })
            if (yield* useStep(devices, code, now)) {
              yield* attempt.onSuccess
              return { result: yield* onSuccess(lockedUser, "totp") }
            }
            if (mayRecover && (yield* recoveryCodes.use(user.realmId, user.id, code))) {
              yield* attempt.onSuccess
              yield* journal.record([{ eventType: "user.recovery_code.used", userId: user.id }])
              return { result: yield* onSuccess(lockedUser, "recovery_code") }
            }
            if (emailedCodeFor !== undefined && (yield* useMailed(emailedCodeFor, lockedUser, code))) {
              yield* attempt.onSuccess
              return { result: yield* onSuccess(lockedUser, "email") }
            }
            const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
            // Somebody who guesses codes usually knows the password.
            const untrusted = attempt.isLast ? yield* trustedDevices.end(user) : []
            yield* journal.record([...failureEvents, ...blocked, ...untrusted])
            return undefined
          })
          const redeemed = yield* locks.transact(user.id, inTransaction)
          return redeemed === undefined ? yield* new WrongCode() : redeemed.result
        })

      return CodeVerifier.of({ redeem })
    })
  )
}
