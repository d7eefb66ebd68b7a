import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type Account, type Blocked, type LoginOutcome, LoginsOff, WrongPassword } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { UserNotFound } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { type Hashing, PasswordHasher } from "../passwords/PasswordHasher.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"

/** A password presented for a user. */
export interface PasswordLogin {
  /** Who is meant; looked up when it is this login's turn. */
  readonly userId: Effect.Effect<UserId, UserNotFound, CurrentRealm>
  /** By what: as it was typed. */
  readonly name: string
  /** Whether a user who is not there is answered, and counted by that name, as one with a wrong password. */
  readonly hidesUnknown: boolean
  readonly password: string | undefined
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

type Failure = Rejected | HashingBusy | LoginsOff | WrongPassword | Blocked | UserNotFound | RealmNotFound

/** Logins by password (`v1.users`, C14, C24, C28). */
export class PasswordLogins extends Context.Service<
  PasswordLogins,
  {
    /** `user.login.succeeded`, `user.login.initiated` where a code is due, or `user.login.failed`. */
    authenticate(asked: PasswordLogin): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
  }
>()("sallyport/core/PasswordLogins") {
  static readonly layer = Layer.effect(
    PasswordLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const providers = yield* AuthProvidersRepo
      const hasher = yield* PasswordHasher
      const checks = yield* PasswordChecks
      const completion = yield* LoginCompletion
      const turns = yield* AccountLocks

      const found = Effect.fnUntraced(function* (asked: PasswordLogin) {
        const realm = yield* CurrentRealm
        const userId = yield* asked.userId
        const account = yield* accounts.find(realm.id, userId)
        return account?.user.userType === "human" ? account : yield* new UserNotFound({ id: userId })
      })

      /** What is answered for a user who is not to be known missing: as for a wrong password, after as much work. */
      const nobody = Effect.fnUntraced(function* (hashing: Hashing, { name }: PasswordLogin, password: string) {
        const realm = yield* CurrentRealm
        const provider = yield* providers.stateOf(realm.id, "password")
        if (provider?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
        return yield* checks.checkUnknown(hashing, name, password)
      })

      const meant = (hashing: Hashing, asked: PasswordLogin, password: string) =>
        asked.hidesUnknown
          ? Effect.catchTag(found(asked), "UserNotFound", () => nobody(hashing, asked, password))
          : found(asked)

      /** Undefined: by then the user's password, or its hash, was another one. */
      const attempt = Effect.fnUntraced(function* (hashing: Hashing, asked: PasswordLogin, password: string) {
        const realm = yield* CurrentRealm
        const account: Account = yield* meant(hashing, asked, password)
        if (!account.passwordsEnabled) return yield* new LoginsOff({ why: "provider_inactive" })
        const { id: userId } = account.user
        const hash = yield* checks.check(hashing, account, password, [{ eventType: "user.login.failed", userId }])
        const better = hasher.isCurrent(hash) ? undefined : yield* hashing.hash(password)
        return yield* turns.transact(
          userId,
          Effect.gen(function* () {
            const user = yield* accounts.findLocked(realm.id, userId, hash)
            if (user === undefined) return undefined
            if (better !== undefined) yield* credentials.rehash(realm.id, userId, hash, better)
            return yield* account.secondFactor
              ? completion.requireMfa(user, asked.pendingKind)
              : completion.startSession(user)
          })
        )
      })

      /** Who lost this password while it was being checked does not get in by it; whose hash was renewed then does. */
      const login = (hashing: Hashing, asked: PasswordLogin, password: string) =>
        attempt(hashing, asked, password).pipe(
          Effect.repeat({ while: (grant) => grant === undefined, times: 1 }),
          Effect.flatMap((grant) => (grant === undefined ? Effect.fail(new WrongPassword()) : Effect.succeed(grant)))
        )

      const authenticate = Effect.fn("PasswordLogins.authenticate")(function* (asked: PasswordLogin) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const password = yield* requirePlausiblePassword("password", asked.password)
        const grant = yield* hasher
          .withHashing((hashing) => login(hashing, asked, password))
          .pipe(Effect.catchTag("UserInactive", () => Effect.fail(new WrongPassword())))
        return yield* completion.complete(grant, asked.scope)
      })

      return PasswordLogins.of({ authenticate })
    })
  )
}
