import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type Account, type Blocked, type LoginOutcome, LoginsOff, WrongPassword } from "#domain/Login"
import type { LoginFailure } from "#domain/LoginFailure"
import { accountFor, type LoginName } from "#domain/LoginName"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import type { Rejected } from "#domain/Rejected"
import { RenewedLogin, RequestedLevel } from "#domain/StepUp"
import { UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { loginFailed } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import type { CountedAttempt } from "../limits/LoginAttempts.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import { type Hashing, PasswordHasher } from "../passwords/PasswordHasher.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { LoginMetrics } from "./LoginMetrics.ts"

/** A login with a password. */
export interface PasswordLogin {
  /** Parses the entered name into the identifiers to look up, according to the realm's rules. */
  readonly loginNameIn: (realm: Realm) => LoginName
  /** The email or username, as entered. */
  readonly name: string
  /** Whether an unknown user is reported as a wrong password, and counted by the entered name. */
  readonly hidesUnknown: boolean
  readonly password: string | undefined
  readonly pendingKind: PendingKind
  /** Whether a trusted device skips the second factor. The default is no, as for step-ups (C310). */
  readonly acceptsTrustedDevice?: boolean
  readonly scope: TokenScope
}

/** The authentication methods that a right password proves. */
const methods = ["pwd"] as const

type Failure = Rejected | HashingBusy | LoginsOff | WrongPassword | Blocked | UserNotFound | RealmNotFound

/** Logs users in with a password (`v1.users`, C14, C24, C28). */
export class PasswordLogins extends Context.Service<
  PasswordLogins,
  {
    /** Records `user.login.succeeded`, `user.login.initiated` if a second factor is required, or `user.login.failed`. */
    authenticate(request: PasswordLogin): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
  }
>()("sallyport/core/PasswordLogins") {
  static readonly layer = Layer.effect(
    PasswordLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const hasher = yield* PasswordHasher
      const checks = yield* PasswordChecks
      const completion = yield* LoginCompletion
      const devices = yield* TrustedDevices
      const locks = yield* AccountLocks
      const refused = yield* RejectedLogins
      const transaction = yield* Transaction
      const countOutcome = (yield* LoginMetrics).count("password")

      /** Reports an unknown user as a wrong password, after the same amount of work. */
      const checkUnknownUser = (hashing: Hashing, name: string, password: string, passwordsEnabled: boolean) =>
        passwordsEnabled ? checks.checkUnknown(hashing, name, password) : refused.failMethodOff()

      const resolveAccount = Effect.fnUntraced(function* (hashing: Hashing, request: PasswordLogin, password: string) {
        const realm = yield* CurrentRealm
        const { found, passwordsEnabled } = yield* accounts.findNamed(realm.id, request.loginNameIn(realm))
        const account = accountFor(found, ({ user }) => isBeingReset(realm.pendingReset, "user", user.id))
        if (account?.user.userType === "human") return account
        if (request.hidesUnknown) return yield* checkUnknownUser(hashing, request.name, password, passwordsEnabled)
        return yield* new UserNotFound({ id: request.name })
      })

      /** Starts a session in a single statement, because most logins take this path. */
      const startSession = Effect.fnUntraced(function* (
        { user: { realmId, id } }: Account,
        passwordHash: string,
        attempt: CountedAttempt
      ) {
        const guard = accounts.withPassword(realmId, id, passwordHash)
        const grant = yield* locks.withLock(id, completion.startSessionIf(guard, id, methods, attempt.resets))
        yield* grant === undefined ? attempt.onSuccess : attempt.refund
        return grant
      })

      /** Continues the login, usually with a token that waits for a second factor. */
      const continueLogin = (
        { user: { realmId, id }, secondFactor: hasSecondFactor }: Account,
        passwordHash: string,
        request: PasswordLogin,
        attempt: CountedAttempt
      ) =>
        locks.transact(
          id,
          Effect.gen(function* () {
            const user = yield* accounts.findLocked(realmId, id, passwordHash)
            yield* attempt.onSuccess
            if (user === undefined) return undefined
            return yield* completion
              .takeNextStep(user, { methods, hasSecondFactor, pendingKind: request.pendingKind })
              .pipe(Effect.catchTag("UserInactive", () => Effect.succeed(undefined)))
          })
        )

      const skipsSecondFactor = Effect.fnUntraced(function* (request: PasswordLogin, userId: UserId) {
        const isPlain = (yield* RequestedLevel) === "aal1" && (yield* RenewedLogin) === undefined
        return isPlain && request.acceptsTrustedDevice === true && (yield* devices.isTrusted(userId))
      })

      /** Attempts the login. Returns undefined if the stored hash changed during the check. */
      const attempt = Effect.fnUntraced(function* (hashing: Hashing, request: PasswordLogin, password: string) {
        const realm = yield* CurrentRealm
        const account = yield* resolveAccount(hashing, request, password)
        const { id: userId } = account.user
        if (!account.passwordsEnabled) return yield* refused.failMethodOff(userId)
        const failureEvents = (reason: LoginFailure) => [loginFailed(userId, reason)]
        const { passwordHash, attempt } = yield* checks.verify(hashing, account, password, failureEvents)
        const newHash = hasher.isCurrent(passwordHash) ? undefined : yield* hashing.hash(password)
        const factor = yield* completion.requiredFactor({ methods, hasSecondFactor: account.secondFactor })
        const isComplete = factor === "none" || (yield* skipsSecondFactor(request, userId))
        const grant = yield* isComplete
          ? startSession(account, passwordHash, attempt)
          : continueLogin(account, passwordHash, request, attempt)
        if (grant !== undefined && newHash !== undefined) {
          yield* transaction.runSingle(credentials.rehash(realm.id, userId, passwordHash, newHash))
        }
        return grant
      })

      /**
       * Logs in. Retries once if the stored hash changed during the check. The retry succeeds if the same password was
       * rehashed, and fails if the password was changed.
       */
      const login = (hashing: Hashing, request: PasswordLogin, password: string) =>
        attempt(hashing, request, password).pipe(
          Effect.repeat({ while: (grant) => grant === undefined, times: 1 }),
          Effect.flatMap((grant) =>
            grant === undefined ? Effect.fail(new WrongPassword({ reason: "wrong_password" })) : Effect.succeed(grant)
          )
        )

      const authenticate = Effect.fn("PasswordLogins.authenticate")(function* (request: PasswordLogin) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const password = yield* requirePlausiblePassword("password", request.password)
        const grant = yield* hasher.withHashing((hashing) => login(hashing, request, password))
        return yield* completion.complete(grant, request.scope)
      })

      return PasswordLogins.of({ authenticate: (request) => countOutcome(authenticate(request)) })
    })
  )
}
