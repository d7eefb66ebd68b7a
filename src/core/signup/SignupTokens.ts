import { Context, DateTime, Effect, Layer } from "effect"
import { isToken, SIGNUP_TOKEN_HOURS } from "#domain/OneTimeToken"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { problem, Rejected } from "#domain/Rejected"
import { type SignupToken, SignupTokenNotFound } from "#domain/SignupToken"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { SignupTokensRepo } from "#store/SignupTokensRepo"
import { UsersRepo } from "#store/UsersRepo"
import { NewPasswords } from "../provisioning/NewPasswords.ts"

/** What a caller asks for in a new signup token. */
export interface Signup {
  readonly attributes: Pick<UserInput, "username" | "email" | "firstName" | "lastName">
  readonly password: string | undefined
}

/** Data of users to be, each good for one (`v1.user_tokens`). They record no events. */
export class SignupTokens extends Context.Service<
  SignupTokens,
  {
    /** Keeps the data of a human, checked as for one who is created now. The token is told this once. */
    create(
      asked: Signup
    ): Effect.Effect<
      { readonly token: string; readonly signup: SignupToken },
      Rejected | HashingBusy | RealmNotFound,
      CurrentRealm
    >
    /** What an unused, unexpired token of the realm stands for. */
    get(token: string): Effect.Effect<SignupToken, SignupTokenNotFound, CurrentRealm>
    /** Uses a token up, inside the transaction that makes its user. Fails for everyone but one (C25). */
    consume(signup: SignupToken): Effect.Effect<void, SignupTokenNotFound>
  }
>()("sallyport/core/SignupTokens") {
  static readonly layer = Layer.effect(
    SignupTokens,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* SignupTokensRepo
      const users = yield* UsersRepo
      const passwords = yield* NewPasswords

      const checked = Effect.fnUntraced(function* ({ attributes: typed, password }: Signup) {
        const realm = yield* CurrentRealm
        const accepted = parseUserInput({ username: null, email: null, ...typed }, userRulesFor(realm, "human", true))
        const { username = null, email = null, firstName = null, lastName = null } = accepted.attributes
        const owner = { username, email, firstName, lastName }
        const problems = [...accepted.problems]
        if (password === undefined) problems.push(problem("password", "blank"))
        else problems.push(...(yield* passwords.problems({ password }, owner)))
        const taken = problems.length > 0 ? undefined : yield* users.taken(realm.id, owner)
        if (taken !== undefined) problems.push(problem(taken, "taken"))
        if (problems.length > 0 || password === undefined) return yield* new Rejected({ problems })
        return { ...owner, passwordHash: yield* passwords.hash({ password }) }
      })

      const create = Effect.fn("SignupTokens.create")(function* (asked: Signup) {
        const realm = yield* CurrentRealm
        const data = yield* checked(asked)
        const token = `utk_${randomSecret(entropy)}`
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { hours: SIGNUP_TOKEN_HOURS })
        const signup: SignupToken = { ...data, id: sha256Text(token), realmId: realm.id, createdAt, expiresAt }
        yield* repo.deleteExpired(realm.id, createdAt)
        if (!(yield* repo.insert(signup))) return yield* new RealmNotFound({ id: realm.id })
        return { token, signup }
      })

      const get = Effect.fn("SignupTokens.get")(function* (token: string) {
        const realm = yield* CurrentRealm
        if (!isToken("utk_", token)) return yield* new SignupTokenNotFound()
        const found = yield* repo.find(realm.id, sha256Text(token), yield* DateTime.now)
        return found ?? (yield* new SignupTokenNotFound())
      })

      const consume = Effect.fnUntraced(function* ({ realmId, id }: SignupToken) {
        if (!(yield* repo.consume(realmId, id, yield* DateTime.now))) return yield* new SignupTokenNotFound()
      })

      return SignupTokens.of({ create, get, consume })
    })
  )
}
