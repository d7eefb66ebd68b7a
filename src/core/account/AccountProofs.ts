import { Context, DateTime, Effect, Layer } from "effect"
import { type FactorRequirement, isAccountProof } from "#domain/AccountProof"
import type { Blocked } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { LoginStale } from "#domain/Reauthentication"
import { type Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import type { LoggedInVisitor } from "../sessions/BrowserSessions.ts"

/** Checks the proof of identity that users must give before they change how they log in (C53, C160, SEC-90, SEC-144). */
export class AccountProofs extends Context.Service<
  AccountProofs,
  {
    /** Returns whether the password is a sufficient proof: the user has one, and no second factor is required. */
    acceptsPassword(user: User): Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Requires the user's password, to protect a browser that was left logged in. Users without a password, or with a second
     * factor, must instead have logged in within the last few minutes. Returns whether a password was checked.
     */
    prove(
      visitor: LoggedInVisitor,
      password: string
    ): Effect.Effect<boolean, Rejected | Blocked | HashingBusy | RealmNotFound | LoginStale, CurrentRealm>
    /** Requires a proof of identity within the last few minutes, including a second factor if the user has one. */
    requireRecent(visitor: LoggedInVisitor): Effect.Effect<void, LoginStale, CurrentRealm>
  }
>()("sallyport/core/AccountProofs") {
  static readonly layer = Layer.effect(
    AccountProofs,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const credentials = yield* CredentialsRepo
      const hasher = yield* PasswordHasher
      const checks = yield* PasswordChecks

      /** Loads the user's account and the second factor that a proof must include. */
      const loadRequirements = Effect.fnUntraced(function* ({ realmId, id }: User) {
        const { mfa } = yield* CurrentRealm
        const account = yield* accounts.find(realmId, id)
        const usesFactor = mfa !== "off" && account?.secondFactor === true
        const [first] = usesFactor ? yield* credentials.activeTotps(realmId, id) : []
        const needsFactor = usesFactor || mfa === "required"
        const demand: FactorRequirement | undefined = needsFactor ? { since: first?.createdAt ?? null } : undefined
        // A password proves nothing if the realm has disabled passwords, or if they were locked after a takeover.
        const hasPassword = account?.passwordHash !== undefined && account.passwordsEnabled
        return { demand, withPassword: hasPassword && demand === undefined ? account : undefined }
      })

      const requireRecent = Effect.fn("AccountProofs.requireRecent")(function* (visitor: LoggedInVisitor) {
        const { demand } = yield* loadRequirements(visitor.user)
        if (!isAccountProof(visitor, demand, yield* DateTime.now)) return yield* new LoginStale()
      })

      const prove = Effect.fn("AccountProofs.prove")(function* (visitor: LoggedInVisitor, password: string) {
        const { demand, withPassword } = yield* loadRequirements(visitor.user)
        if (withPassword === undefined) {
          if (!isAccountProof(visitor, demand, yield* DateTime.now)) return yield* new LoginStale()
          return false
        }
        const currentPassword = yield* requirePlausiblePassword("current_password", password)
        if (currentPassword === "") return yield* rejection("current_password", "blank")
        yield* hasher
          .withHashing((hashing) => checks.check(hashing, withPassword, currentPassword, () => []))
          .pipe(
            Effect.catchTag(["WrongPassword", "UserNotFound"], () =>
              Effect.fail(rejection("current_password", "wrong_current_password"))
            )
          )
        return true
      })

      return AccountProofs.of({
        acceptsPassword: (user) => Effect.map(loadRequirements(user), ({ withPassword }) => withPassword !== undefined),
        prove,
        requireRecent
      })
    })
  )
}
