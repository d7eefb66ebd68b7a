import { Context, DateTime, Effect, Layer } from "effect"
import type { PasswordInput } from "#domain/Credential"
import type { RealmId, UserId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import type { HashingBusy } from "#domain/Password"
import { checkImportedHash } from "#domain/PasswordHash"
import {
  contextWords,
  defaultPolicy,
  type PasswordOwner,
  type PasswordRequirements,
  passwordProblems,
  requirementsOf
} from "#domain/PasswordPolicy"
import { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { type Problem, problem } from "#domain/Rejected"
import { isSecondFactorDue } from "#domain/SecondFactor"
import type { User } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { SecondFactorsRepo } from "#store/users/SecondFactorsRepo"
import type { NewEvent } from "../events/NewEvent.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { BreachedPasswords } from "../passwords/BreachedPasswords.ts"
import { CommonPasswords } from "../passwords/CommonPasswords.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { AccessEnds, type KeptSessions } from "./AccessEnds.ts"

/** The owner of a password. `id` is missing if the user doesn't exist yet. */
export interface Owner extends PasswordOwner {
  readonly id?: UserId
}

/** Sets passwords. Used by all operations that set them. */
export class NewPasswords extends Context.Service<
  NewPasswords,
  {
    /** The requirements for a user's new password. */
    requirements(owner: Owner): Effect.Effect<PasswordRequirements, never, CurrentRealm>
    /** Validates a user's new password (C22, C23). This may call an external API, so call it before opening a transaction. */
    problems(password: PasswordInput, owner: Owner): Effect.Effect<ReadonlyArray<Problem>, never, CurrentRealm>
    /** Hashes a valid password. This is slow, so call it before opening a transaction. */
    hash(password: PasswordInput): Effect.Effect<string, HashingBusy, CurrentRealm>
    /** Validates and hashes a password. */
    draft(password: PasswordInput, owner: Owner): Effect.Effect<string, Rejected | HashingBusy, CurrentRealm>
    /** Sets the password of a new user. */
    setInitial(user: User, passwordHash: string): Effect.Effect<void>
    /**
     * Changes a user's password, and unblocks the user (C24). Call it inside a transaction. Also ends access (`AccessEnds`),
     * except for the sessions to keep. Returns the events to record.
     */
    change(
      user: User,
      passwordHash: string,
      kept?: KeptSessions,
      reason?: "password_changed" | "password_reset"
    ): Effect.Effect<ReadonlyArray<NewEvent>>
  }
>()("sallyport/core/NewPasswords") {
  static readonly layer = Layer.effect(
    NewPasswords,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* CredentialsRepo
      const secondFactors = yield* SecondFactorsRepo
      const providers = yield* AuthProvidersRepo
      const hasher = yield* PasswordHasher
      const common = yield* CommonPasswords
      const breached = yield* BreachedPasswords
      const access = yield* AccessEnds
      const attempts = yield* LoginAttempts

      /** Returns whether the user's logins require a second factor. */
      const hasSecondFactor = Effect.fnUntraced(function* (realmId: RealmId, { id }: Owner) {
        return id !== undefined && isSecondFactorDue(yield* secondFactors.of(realmId, id))
      })

      const policyFor = Effect.fnUntraced(function* (owner: Owner) {
        const realm = yield* CurrentRealm
        const policy = (yield* providers.passwordRules(realm.id)) ?? defaultPolicy
        return { policy, secondFactor: policy.preset === "nist" && (yield* hasSecondFactor(realm.id, owner)) }
      })

      const requirements = (owner: Owner) =>
        Effect.map(policyFor(owner), ({ policy, secondFactor }) => requirementsOf(policy, secondFactor))

      const problems = Effect.fnUntraced(function* (input: PasswordInput, owner: Owner) {
        if ("passwordHash" in input) {
          const wrong = checkImportedHash(input.passwordHash)
          return wrong === undefined ? [] : [{ field: "password_hash", ...wrong }]
        }
        const realm = yield* CurrentRealm
        const { policy, secondFactor } = yield* policyFor(owner)
        const found = passwordProblems(input.password, policy, contextWords(owner, realm.name), secondFactor)
        if (found.length > 0) return found
        if (yield* common.includes(input.password)) return [problem("password", "common_password")]
        return (yield* breached.includes(input.password)) ? [problem("password", "breached_password")] : []
      })

      const hash = (input: PasswordInput) =>
        "passwordHash" in input ? Effect.succeed(input.passwordHash) : hasher.hash(input.password)

      const draft = Effect.fnUntraced(function* (input: PasswordInput, owner: Owner) {
        const found = yield* problems(input, owner)
        yield* rejectIfAny(found)
        return yield* hash(input)
      })

      const setInitial = Effect.fnUntraced(function* (user: User, passwordHash: string) {
        const { realmId, id: userId } = user
        const id = yield* ids.make("credential")
        yield* repo.putPassword({ id, realmId, userId, passwordHash, createdAt: yield* DateTime.now })
      })

      const change = Effect.fnUntraced(function* (
        user: User,
        passwordHash: string,
        kept?: KeptSessions,
        reason: "password_changed" | "password_reset" = "password_changed"
      ) {
        yield* setInitial(user, passwordHash)
        yield* attempts.clear(user, "password")
        const { events } = yield* access.end(user, reason, kept)
        return events
      })

      return NewPasswords.of({
        requirements,
        problems,
        hash,
        draft,
        setInitial,
        change
      })
    })
  )
}
