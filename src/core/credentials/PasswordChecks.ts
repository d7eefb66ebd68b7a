import { Context, Effect, Layer } from "effect"
import { type Account, type Blocked, WrongPassword } from "#domain/Login"
import type { LoginFailure } from "#domain/LoginFailure"
import { checkPassword } from "#domain/Password"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { problem, Rejected } from "#domain/Rejected"
import type { UserNotFound } from "#domain/User"
import { type Change, Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { type CountedAttempt, LoginAttempts, type UnknownAttempt } from "../limits/LoginAttempts.ts"
import type { Hashing } from "../passwords/PasswordHasher.ts"

/** Returns the password as entered, and the problems that rule it out as a valid password. */
export const checkPlausible = (field: string, typed: string | undefined) => {
  const password = typed ?? ""
  const violations = checkPassword(password, { minLength: 0 }).filter(({ code }) => code !== "too_short")
  return { password, problems: violations.map(({ code, params }) => problem(field, code, params)) }
}

/** Rejects a text that can't be a valid password, before it is hashed (SEC-04). */
export const requirePlausiblePassword = (field: string, typed: string | undefined): Effect.Effect<string, Rejected> => {
  const { password, problems } = checkPlausible(field, typed)
  return problems.length === 0 ? Effect.succeed(password) : Effect.fail(new Rejected({ problems }))
}

/** The result of a correct password. The attempt counts as failed until the caller resets the counter. */
export interface VerifiedPassword {
  readonly passwordHash: string
  readonly attempt: CountedAttempt
}

/** Returns the events to record for a failed check. */
export type FailureEvents = (reason: LoginFailure) => ReadonlyArray<NewEvent>

/** The writes for a failed attempt with an unknown name. They record no events, but do as much work as for an existing user. */
export const unknownUserFailure = ({ isLast, failureWrite }: UnknownAttempt): Change => ({
  writes: [failureWrite],
  events: [],
  unrecordedTypes: isLast ? ["user.login.failed", "user.blocked"] : ["user.login.failed"]
})

/** Checks passwords. Used wherever a password can be entered, so that the same rules apply everywhere (C24, C28). */
export class PasswordChecks extends Context.Service<
  PasswordChecks,
  {
    /**
     * Counts the attempt, then verifies the password and returns its hash. A correct password resets the counter. A wrong one
     * records `failureEvents`, and `user.blocked` if this attempt blocks the user. The check takes the same time for an
     * inactive user or a user without a password (SEC-14). Must not be called inside a transaction.
     */
    check(
      hashing: Hashing,
      account: Account,
      password: string,
      failureEvents: FailureEvents
    ): Effect.Effect<string, WrongPassword | Blocked | UserNotFound | RealmNotFound, CurrentRealm>
    /** Like `check`, but doesn't reset the counter. The caller resets it with `attempt.onSuccess`. */
    verify(
      hashing: Hashing,
      account: Account,
      password: string,
      failureEvents: FailureEvents
    ): Effect.Effect<VerifiedPassword, WrongPassword | Blocked | UserNotFound | RealmNotFound, CurrentRealm>
    /**
     * Like `check`, for a name that belongs to no user. Counts attempts by name and verifies a dummy hash. Executes as many
     * statements as a failed `check`, with a row written in place of the events, so that both take equally long (SEC-14).
     */
    checkUnknown(
      hashing: Hashing,
      name: string,
      password: string
    ): Effect.Effect<never, WrongPassword | Blocked | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/PasswordChecks") {
  static readonly layer = Layer.effect(
    PasswordChecks,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const journal = yield* Journal

      const verify = Effect.fnUntraced(function* (
        hashing: Hashing,
        { user, passwordHash }: Account,
        password: string,
        failureEvents: FailureEvents
      ) {
        const attempt = yield* attempts.count(user, "password")
        const isCorrect =
          passwordHash === undefined
            ? yield* hashing.verifyDummy(password)
            : yield* hashing.verify(passwordHash, password)
        if (isCorrect && passwordHash !== undefined && user.state === "active") {
          return { passwordHash, attempt }
        }
        const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
        const reason = passwordHash === undefined ? "no_password" : isCorrect ? "user_inactive" : "wrong_password"
        yield* journal.record([...failureEvents(reason), ...blocked])
        return yield* new WrongPassword({ reason })
      })

      const check: PasswordChecks["Service"]["check"] = Effect.fnUntraced(function* (...parameters) {
        const { passwordHash, attempt } = yield* verify(...parameters)
        yield* attempt.onSuccess
        return passwordHash
      })

      const checkUnknown = Effect.fnUntraced(function* (hashing: Hashing, name: string, password: string) {
        const attempt = yield* attempts.countUnknown(name, "password")
        yield* hashing.verifyDummy(password)
        yield* journal.write([unknownUserFailure(attempt)])
        return yield* new WrongPassword({ reason: "unknown_user" })
      })

      return PasswordChecks.of({ check, verify, checkUnknown })
    })
  )
}
