import { Context, Effect, Layer } from "effect"
import { type Account, type Blocked, WrongPassword } from "#domain/Login"
import { checkPassword } from "#domain/Password"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { problem, Rejected } from "#domain/Rejected"
import type { UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { Journal, type NewEvent } from "../events/Journal.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import type { Hashing } from "../passwords/PasswordHasher.ts"

/** Refuses what can be nobody's password before any work is done for it (SEC-04). */
export const presentable = (field: string, password: string | undefined): Effect.Effect<string, Rejected> => {
  const given = password ?? ""
  const wrong = checkPassword(given, { minLength: 0 }).filter(({ code }) => code !== "too_short")
  return wrong.length === 0
    ? Effect.succeed(given)
    : Effect.fail(new Rejected({ problems: wrong.map(({ code, params }) => problem(field, code, params)) }))
}

/** The checking of hasher, the same for every door (C24, C28). */
export class PasswordChecks extends Context.Service<
  PasswordChecks,
  {
    /**
     * Counts the try, then compares; the right one clears the count. A wrong one is recorded with `failed`, and
     * `user.blocked` when it blocks. A user who is inactive or has no password costs as much. Not to be called inside a
     * transaction.
     */
    check(
      hashing: Hashing,
      account: Account,
      password: string,
      failed: ReadonlyArray<NewEvent>
    ): Effect.Effect<string, WrongPassword | Blocked | UserNotFound | RealmNotFound, CurrentRealm>
    /**
     * The same for a name that nobody has: counted by the name, compared with nothing, and something written where a
     * failure would be recorded (SEC-14).
     */
    checkNobody(
      hashing: Hashing,
      typed: string,
      password: string
    ): Effect.Effect<never, WrongPassword | Blocked, CurrentRealm>
  }
>()("sallyport/core/PasswordChecks") {
  static readonly layer = Layer.effect(
    PasswordChecks,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts
      const journal = yield* Journal
      const transaction = yield* Transaction

      const check = Effect.fnUntraced(function* (
        hashing: Hashing,
        { user, passwordHash }: Account,
        password: string,
        failed: ReadonlyArray<NewEvent>
      ) {
        const { isLast: last, onSuccess: succeeded } = yield* attempts.count(user, "password")
        const right =
          passwordHash === undefined
            ? yield* hashing.verifyDummy(password)
            : yield* hashing.verify(passwordHash, password)
        if (right && passwordHash !== undefined && user.state === "active") {
          yield* succeeded
          return passwordHash
        }
        const blocked = last ? [{ eventType: "user.blocked" as const, userId: user.id }] : []
        yield* transaction.run(journal.record([...failed, ...blocked]))
        return yield* new WrongPassword()
      })

      const checkNobody = Effect.fnUntraced(function* (hashing: Hashing, typed: string, password: string) {
        const failed = yield* attempts.countUnknown(typed, "password")
        yield* hashing.verifyDummy(password)
        yield* failed
        return yield* new WrongPassword()
      })

      return PasswordChecks.of({ check, checkNobody })
    })
  )
}
