import { Context, Effect, Layer } from "effect"
import { changedByCredential } from "#domain/EventChanges"
import type { UserId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import type { Blocked } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { UserInactive, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { checkPlausible, PasswordChecks } from "../credentials/PasswordChecks.ts"
import { Journal } from "../events/Journal.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import type { KeptSessions } from "../provisioning/AccessEnds.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"

/** A password change by a user who enters the current password. */
export interface PasswordUpdate {
  readonly currentPassword: string | undefined
  readonly password: string | undefined
  /** The user's sessions to keep: all, none, or the session with this ID. */
  readonly keptSessions: KeptSessions
}

type Failure = UserNotFound | UserInactive | Rejected | HashingBusy | Blocked | RealmNotFound

/** Changes passwords of users who know their current password (C10, C14, C24, C27; SEC-12). */
export class PasswordUpdates extends Context.Service<
  PasswordUpdates,
  {
    /** Changes the password. Records `user.updated`, and `session.deleted` for each session that is not kept. */
    update(userId: UserId, request: PasswordUpdate): Effect.Effect<void, Failure, CurrentRealm>
    /**
     * Sets the password of a user who has no usable password, without ending sessions. The caller must have proved the user's
     * identity in another way. `guard` runs before any change, once the user's row is locked. Records `user.updated`.
     */
    set<E, R>(
      userId: UserId,
      password: string,
      guard: Effect.Effect<void, E, R>
    ): Effect.Effect<void, E | Exclude<Failure, Blocked>, R | CurrentRealm>
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
      const locks = yield* AccountLocks
      const transaction = yield* Transaction

      const mismatch = () => Effect.fail(rejection("current_password", "wrong_current_password"))

      const update = Effect.fn("PasswordUpdates.update")(function* (userId: UserId, request: PasswordUpdate) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, userId)
        if (account === undefined) return yield* new UserNotFound({ id: userId })
        const { user } = account
        if (user.userType === "api") return yield* rejection("password", "humans_only")
        if (user.state === "inactive") return yield* new UserInactive({ userId })
        const current = checkPlausible("current_password", request.currentPassword)
        const newPassword = { password: request.password ?? "" }
        const problems = [...current.problems, ...(yield* newPasswords.problems(newPassword, user))]
        yield* rejectIfAny(problems)

        yield* hasher.withHashing((hashing) =>
          Effect.gen(function* () {
            const hash = yield* checks
              .check(hashing, account, current.password, () => [])
              .pipe(Effect.catchTag("WrongPassword", mismatch))
            const passwordHash = yield* hashing.hash(newPassword.password)
            yield* locks.transact(
              userId,
              Effect.gen(function* () {
                const locked = yield* users.findForUpdate(realm.id, userId)
                if (locked === undefined) return yield* new UserNotFound({ id: userId })
                if ((yield* credentials.passwordHash(realm.id, userId)) !== hash) return yield* mismatch()
                const ended = yield* newPasswords.change(locked, passwordHash, request.keptSessions)
                const changed = changedByCredential("password", locked)
                const notice = "password_changed"
                yield* journal.record([{ eventType: "user.updated", userId, changed, notice }, ...ended])
              })
            )
          })
        )
      })

      const set = Effect.fn("PasswordUpdates.set")(function* <E, R>(
        userId: UserId,
        password: string,
        guard: Effect.Effect<void, E, R>
      ) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, userId)
        if (account === undefined) return yield* new UserNotFound({ id: userId })
        if (account.user.state === "inactive") return yield* new UserInactive({ userId })
        if (!account.passwordsEnabled) return yield* rejection("password", "provider_inactive")
        const passwordHash = yield* newPasswords.draft({ password }, account.user)
        yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            yield* guard
            // If another request has set a password meanwhile, changing it requires the current password.
            if ((yield* credentials.passwordHash(realm.id, userId)) !== undefined) return yield* mismatch()
            const ended = yield* newPasswords.change(user, passwordHash, "all")
            const changed = changedByCredential("password", user)
            yield* journal.record([
              { eventType: "user.updated", userId, changed, notice: "password_changed" },
              ...ended
            ])
          })
        )
      })

      return PasswordUpdates.of({ update, set })
    })
  )
}
