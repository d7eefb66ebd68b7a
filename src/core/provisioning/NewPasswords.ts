import { Context, DateTime, Effect, Layer } from "effect"
import type { NewPassword } from "#domain/Credential"
import type { RealmId, SessionId, UserId } from "#domain/Ids"
import type { HashingBusy } from "#domain/Password"
import { checkImportedHash } from "#domain/PasswordHash"
import {
  contextWords,
  defaultPolicy,
  demandsOf,
  type PasswordDemands,
  type PasswordOwner,
  passwordProblems
} from "#domain/PasswordPolicy"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { SessionsRepo } from "#store/SessionsRepo"
import { UsersRepo } from "#store/UsersRepo"
import type { NewEvent } from "../events/Journal.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { CommonPasswords } from "../passwords/CommonPasswords.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** Whose password it is to be; `id` of a user who is there already. */
export interface Owner extends PasswordOwner {
  readonly id?: UserId
}

/** The making of hasher, for all operations that set one. */
export class NewPasswords extends Context.Service<
  NewPasswords,
  {
    /** What is demanded of a password that a user is to get. */
    demands(owner: Owner): Effect.Effect<PasswordDemands, never, CurrentRealm>
    /** What is wrong with a password that a user is to get (decisions 22, 23). */
    problems(password: NewPassword, owner: Owner): Effect.Effect<ReadonlyArray<Problem>, never, CurrentRealm>
    /** The hash of a checked password. Slow, so to be called before any transaction. */
    hash(password: NewPassword): Effect.Effect<string, HashingBusy, CurrentRealm>
    /** Both, refusing what is wrong. */
    draft(password: NewPassword, owner: Owner): Effect.Effect<string, Rejected | HashingBusy, CurrentRealm>
    /** Gives a new user a password by its hash. */
    give(user: User, passwordHash: string): Effect.Effect<void>
    /**
     * Changes a user's password by its hash, inside the transaction: the sessions end unless they are kept, all or the one
     * that changes it; pending logins and `voidRequests` are void, a block is lifted (decisions 24, 25, 27). The
     * `session.deleted` to record.
     */
    change(user: User, passwordHash: string, keeps: boolean | SessionId): Effect.Effect<ReadonlyArray<NewEvent>>
    /**
     * Voids what was asked for under the password of before, inside the transaction of its change: tokens of resets, and
     * the pending e-mail with its proofs, since whoever knew that password may have asked for them (SEC-84).
     */
    voidRequests(user: User): Effect.Effect<void>
    /** Ends all sessions of a user, inside the transaction. The `session.deleted` to record. */
    endSessions(user: User): Effect.Effect<ReadonlyArray<NewEvent>>
  }
>()("sallyport/core/NewPasswords") {
  static readonly layer = Layer.effect(
    NewPasswords,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* CredentialsRepo
      const users = yield* UsersRepo
      const providers = yield* AuthProvidersRepo
      const sessions = yield* SessionsRepo
      const hasher = yield* PasswordHasher
      const common = yield* CommonPasswords
      const tokens = yield* OneTimeTokens
      const attempts = yield* LoginAttempts

      /** Whether the user's logins ask for a code. */
      const hasSecondFactor = Effect.fnUntraced(function* (realmId: RealmId, { id }: Owner) {
        if (id === undefined || (yield* providers.stateOf(realmId, "totp"))?.state !== "active") return false
        return (yield* repo.activeTotps(realmId, id)).length > 0
      })

      const policyFor = Effect.fnUntraced(function* (owner: Owner) {
        const realm = yield* CurrentRealm
        const policy = (yield* providers.passwordRules(realm.id)) ?? defaultPolicy
        return { policy, secondFactor: policy.preset === "nist" && (yield* hasSecondFactor(realm.id, owner)) }
      })

      const demands = (owner: Owner) =>
        Effect.map(policyFor(owner), ({ policy, secondFactor }) => demandsOf(policy, secondFactor))

      const problems = Effect.fnUntraced(function* (given: NewPassword, owner: Owner) {
        if ("passwordHash" in given) {
          const wrong = checkImportedHash(given.passwordHash)
          return wrong === undefined ? [] : [{ field: "password_hash", ...wrong }]
        }
        const realm = yield* CurrentRealm
        const { policy, secondFactor } = yield* policyFor(owner)
        const found = passwordProblems(given.password, policy, contextWords(owner, realm.name), secondFactor)
        if (found.length > 0) return found
        return (yield* common.includes(given.password)) ? [problem("password", "common_password")] : []
      })

      const hash = (given: NewPassword) =>
        "passwordHash" in given ? Effect.succeed(given.passwordHash) : hasher.hash(given.password)

      const draft = Effect.fn("NewPasswords.draft")(function* (given: NewPassword, owner: Owner) {
        const found = yield* problems(given, owner)
        if (found.length > 0) return yield* new Rejected({ problems: found })
        return yield* hash(given)
      })

      const give = Effect.fnUntraced(function* (user: User, passwordHash: string) {
        const { realmId, id: userId } = user
        const id = yield* ids.make("credential")
        yield* repo.putPassword({ id, realmId, userId, passwordHash, createdAt: yield* DateTime.now })
      })

      const endSessions = Effect.fnUntraced(function* ({ realmId, id: userId }: User, but?: SessionId) {
        const ended = yield* sessions.deleteOfUser(realmId, userId, yield* DateTime.now, but)
        return ended.map((sessionId) => ({ eventType: "session.deleted" as const, userId, sessionId }))
      })

      const voidRequests = (user: User) =>
        Effect.andThen(tokens.voidOf(user, ["password_reset", "email_change"]), users.clearEmailPending(user))

      const change = Effect.fnUntraced(function* (user: User, passwordHash: string, keeps: boolean | SessionId) {
        yield* give(user, passwordHash)
        yield* voidRequests(user)
        yield* tokens.voidOf(user, ["login"])
        yield* attempts.clear(user, "password")
        if (keeps === true) return []
        return yield* endSessions(user, keeps === false ? undefined : keeps)
      })

      return NewPasswords.of({
        demands,
        problems,
        hash,
        draft,
        give,
        change,
        voidRequests,
        endSessions: (user) => endSessions(user)
      })
    })
  )
}
