import { Context, DateTime, Effect, Layer } from "effect"
import type { AuthenticationMethod } from "#domain/Authentication"
import type { CredentialDetails } from "#domain/Credential"
import { isSameEmail } from "#domain/Email"
import { type Blocked, WrongCode } from "#domain/Login"
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
import { MailedCodes } from "../tokens/MailedCodes.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { RecoveryCodes } from "../tokens/RecoveryCodes.ts"
import { matchingStep } from "../tokens/Totp.ts"

/** A code that a user entered, and what it may come from. */
export interface PresentedCode {
  readonly user: User
  readonly code: string
  /** The TOTP devices that it may come from. */
  readonly devices: ReadonlyArray<CredentialDetails>
  /** Whether it may be a recovery code of the user instead. */
  readonly orRecoveryCode: boolean
  /** The pending login whose code by mail it may be instead. */
  readonly orMailedFor?: OneTimeToken | undefined
  /** The events to record if the code is wrong, besides `user.blocked`. */
  readonly failureEvents: ReadonlyArray<NewEvent>
}

/** Verifies TOTP codes, recovery codes and codes by mail, under the same counter: for logins, for new devices and to remove one (C24, C26, C51). */
export class CodeVerifier extends Context.Service<
  CodeVerifier,
  {
    /**
     * Counts the attempt. If the code is right, uses it up and runs `onSuccess`, in one transaction: TOTP codes of its
     * time step or an older one are no longer accepted; of a recovery code this records `user.recovery_code.used`.
     * `onSuccess` gets the user as just read and locked. Not to be called inside a transaction. Dies with
     * `SecretUnavailable`, and counts nothing, if the code can come from devices alone and no secret of theirs can be
     * decrypted.
     */
    redeem<A, E, R>(
      presented: PresentedCode,
      onSuccess: (user: User, method: AuthenticationMethod) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | WrongCode | Blocked | UserNotFound | RealmNotFound, R | CurrentRealm>
  }
>()("sallyport/core/CodeVerifier") {
  static readonly layer = Layer.effect(
    CodeVerifier,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const credentials = yield* CredentialsRepo
      const users = yield* UsersRepo
      const journal = yield* Journal
      const locks = yield* AccountLocks
      const recoveryCodes = yield* RecoveryCodes
      const mailedCodes = yield* MailedCodes
      const tokens = yield* OneTimeTokens

      /** Uses up the time step of a TOTP code. False: no device shows the code, or its step was used before. */
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

      /** Uses up a code by mail, if the user has still the e-mail that it went to. */
      const useMailed = Effect.fnUntraced(function* (login: OneTimeToken, user: User, code: string) {
        const mailed = yield* mailedCodes.find(login, code)
        if (mailed === undefined || !isSameEmail(mailed.email, user.email)) return false
        return yield* Effect.match(tokens.consume(mailed), { onSuccess: () => true, onFailure: () => false })
      })

      const redeem = <A, E, R>(
        { user, code, devices, orRecoveryCode, orMailedFor, failureEvents }: PresentedCode,
        onSuccess: (user: User, method: AuthenticationMethod) => Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          const [device] = devices
          const mayRecover = orRecoveryCode && parseRecoveryCode(code) !== undefined
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
              return { result: yield* onSuccess(lockedUser, "otp") }
            }
            if (mayRecover && (yield* recoveryCodes.use(user.realmId, user.id, code))) {
              yield* attempt.onSuccess
              yield* journal.record([{ eventType: "user.recovery_code.used", userId: user.id }])
              return { result: yield* onSuccess(lockedUser, "otp") }
            }
            if (orMailedFor !== undefined && (yield* useMailed(orMailedFor, lockedUser, code))) {
              yield* attempt.onSuccess
              return { result: yield* onSuccess(lockedUser, "email") }
            }
            const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
            yield* journal.record([...failureEvents, ...blocked])
            return undefined
          })
          const redeemed = yield* locks.transact(user.id, inTransaction)
          return redeemed === undefined ? yield* new WrongCode() : redeemed.result
        })

      return CodeVerifier.of({ redeem })
    })
  )
}
