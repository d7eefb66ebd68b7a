import { Context, DateTime, Effect, Layer } from "effect"
import { DEFAULT_MIN_LENGTH } from "#domain/AuthProvider"
import type { NewPassword } from "#domain/Credential"
import type { RealmId } from "#domain/Ids"
import { checkImportedHash, checkPassword, type HashingBusy } from "#domain/Password"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected, rejected } from "#domain/Rejected"
import { displayName, type User } from "#domain/User"
import { acceptUser, type UserInput } from "#domain/UserInput"
import type { Happening } from "../events/Journal.ts"
import { FreshIds } from "../FreshIds.ts"
import { Passwords } from "../Passwords.ts"
import { AuthProvidersRepo } from "../realms/AuthProvidersRepo.ts"
import { CredentialsRepo } from "./CredentialsRepo.ts"
import { UsersRepo } from "./UsersRepo.ts"

/** What a caller gives of a new user. `passwords` undefined: none was mentioned at all. */
export interface NewUser {
  readonly attributes: UserInput
  readonly passwords: ReadonlyArray<NewPassword> | undefined
}

/** A new user that was checked, its password hashed: ready to be inserted. */
export interface UserDraft {
  readonly user: User
  readonly passwordHash: string | undefined
}

/** The making of users, for all operations that make one. */
export class NewUsers extends Context.Service<
  NewUsers,
  {
    /** Checks a new user and hashes its password: slow, so to be called before any transaction. */
    draft(asked: NewUser): Effect.Effect<UserDraft, Rejected | HashingBusy, CurrentRealm>
    /** Inserts a draft. The events to record with it: `user.created`, and what its e-mail verification adds. */
    insert(draft: UserDraft): Effect.Effect<ReadonlyArray<Happening>, Rejected>
    /** The hash of a new password that the realm's rules let pass. */
    hash(password: string): Effect.Effect<string, Rejected | HashingBusy, CurrentRealm>
    /** Gives a user a password by its hash. */
    putPassword(user: User, passwordHash: string): Effect.Effect<void>
  }
>()("sallyport/core/NewUsers") {
  static readonly layer = Layer.effect(
    NewUsers,
    Effect.gen(function* () {
      const ids = yield* FreshIds
      const repo = yield* UsersRepo
      const credentials = yield* CredentialsRepo
      const providers = yield* AuthProvidersRepo
      const passwords = yield* Passwords

      const passwordProblems = Effect.fnUntraced(function* (realmId: RealmId, password: NewPassword) {
        if ("passwordHash" in password) {
          const wrong = checkImportedHash(password.passwordHash)
          return wrong === undefined ? [] : [problem("password_hash", wrong)]
        }
        const minLength = (yield* providers.minPasswordLength(realmId)) ?? DEFAULT_MIN_LENGTH
        return checkPassword(password.password, { minLength }).map(({ code, params }) =>
          problem("password", code, params)
        )
      })

      const hash = Effect.fn("NewUsers.hash")(function* (password: string) {
        const problems = yield* passwordProblems((yield* CurrentRealm).id, { password })
        if (problems.length > 0) return yield* new Rejected({ problems })
        return yield* passwords.hash(password)
      })

      const draft = Effect.fnUntraced(function* (asked: NewUser) {
        const realm = yield* CurrentRealm
        const { attributes, problems: wrong } = acceptUser({ email: null, ...asked.attributes })
        const problems: Array<Problem> = [...wrong]
        const [password, second] = asked.passwords ?? []
        if (asked.passwords === undefined) problems.push(problem("password", "blank"))
        if (second !== undefined) problems.push(problem("credentials", "one_password"))
        if (password !== undefined) problems.push(...(yield* passwordProblems(realm.id, password)))
        if (problems.length > 0) return yield* new Rejected({ problems })

        const named = {
          email: attributes.email ?? null,
          username: attributes.username ?? null,
          firstName: attributes.firstName ?? null,
          lastName: attributes.lastName ?? null
        }
        const user: User = {
          id: yield* ids.make("user"),
          realmId: realm.id,
          userType: "human",
          state: "active",
          emailPending: null,
          emailVerification: "none",
          locale: null,
          reference: null,
          custom: {},
          ...attributes,
          ...named,
          name: displayName(named),
          createdAt: yield* DateTime.now,
          lastLoginAt: null
        }
        const passwordHash =
          password === undefined
            ? undefined
            : "passwordHash" in password
              ? password.passwordHash
              : yield* passwords.hash(password.password)
        return { user, passwordHash }
      })

      const putPassword = Effect.fnUntraced(function* (user: User, passwordHash: string) {
        yield* credentials.putPassword({
          id: yield* ids.make("credential"),
          realmId: user.realmId,
          userId: user.id,
          passwordHash,
          createdAt: yield* DateTime.now
        })
      })

      const insert = Effect.fnUntraced(function* ({ user, passwordHash }: UserDraft) {
        const taken = yield* repo.insert(user)
        if (taken !== undefined) return yield* rejected(taken, "taken")
        if (passwordHash !== undefined) yield* putPassword(user, passwordHash)
        const happenings: Array<Happening> = [{ eventType: "user.created", userId: user.id }]
        if (user.emailPending !== null) happenings.push({ eventType: "user.email.updating", userId: user.id })
        if (user.emailVerification === "requested") {
          happenings.push({ eventType: "user.email.verifying", userId: user.id })
        }
        if (user.emailVerification === "verified") {
          happenings.push({ eventType: "user.email.verified", userId: user.id })
        }
        return happenings
      })

      return NewUsers.of({ draft, insert, hash, putPassword })
    })
  )
}
