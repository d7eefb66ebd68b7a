import { Context, Effect, Layer } from "effect"
import type { SessionId, UserId } from "#domain/Ids"
import type { Blocked } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { UserInactive, UserNotFound } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { Journal } from "../events/Journal.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"

/** A user's own change of password: the current one is asked for. */
export interface PasswordUpdate {
  readonly currentPassword: string | undefined
  readonly password: string | undefined
  /** Whether the user's sessions go on: all of them, or the one that changes it. */
  readonly keeps: boolean | SessionId
}

type Failure = UserNotFound | UserInactive | Rejected | HashingBusy | Blocked | RealmNotFound

/** Changes of hasher by those who know them (C10, C14, C24, C27; SEC-12). */
export class PasswordUpdates extends Context.Service<
  PasswordUpdates,
  {
    /** `user.updated`, and `session.deleted` each unless the sessions are kept. */
    update(userId: UserId, asked: PasswordUpdate): Effect.Effect<void, Failure, CurrentRealm>
  }
>()("sallyport/core/PasswordUpdates") {
  static readonly layer = Layer.effect(
    PasswordUpdates,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const hasher = yield* PasswordHasher
      const newPasswords = yield* NewPasswords
      const checks = yield* PasswordChecks
      const journal = yield* Journal
      const turns = yield* AccountLocks

      const mismatch = () => Effect.fail(rejected("current_password", "wrong_current_password"))

      const update = Effect.fn("PasswordUpdates.update")(function* (userId: UserId, asked: PasswordUpdate) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, userId)
        if (account === undefined) return yield* new UserNotFound({ id: userId })
        const { user } = account
        if (user.userType === "api") return yield* rejected("password", "humans_only")
        if (user.state === "inactive") return yield* new UserInactive({ userId })
        const currentPassword = yield* requirePlausiblePassword("current_password", asked.currentPassword)
        const given = { password: asked.password ?? "" }
        const problems = yield* newPasswords.problems(given, user)
        if (problems.length > 0) return yield* new Rejected({ problems })

        yield* hasher.withHashing((hashing) =>
          Effect.gen(function* () {
            const hash = yield* checks
              .check(hashing, account, currentPassword, [])
              .pipe(Effect.catchTag("WrongPassword", mismatch))
            const passwordHash = yield* hashing.hash(given.password)
            yield* turns.transact(
              userId,
              Effect.gen(function* () {
                const held = yield* users.findForUpdate(realm.id, userId)
                if (held === undefined) return yield* new UserNotFound({ id: userId })
                if ((yield* credentials.passwordHash(realm.id, userId)) !== hash) return yield* mismatch()
                const ended = yield* newPasswords.change(held, passwordHash, asked.keeps)
                yield* journal.record([{ eventType: "user.updated", userId }, ...ended])
              })
            )
          })
        )
      })

      return PasswordUpdates.of({ update })
    })
  )
}
