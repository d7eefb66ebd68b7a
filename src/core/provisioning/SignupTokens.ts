import { Context, DateTime, Effect, Layer } from "effect"
import { rejectIfAny } from "#domain/KnownProblems"
import { isToken, SIGNUP_TOKEN_HOURS } from "#domain/OneTimeToken"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { problem } from "#domain/Rejected"
import { asksForUsername } from "#domain/Signup"
import { type SignupToken, SignupTokenNotFound } from "#domain/SignupToken"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { usernameProblems } from "#domain/Username"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { SignupTokensRepo } from "#store/login/SignupTokensRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { NewPasswords } from "./NewPasswords.ts"

/** A request for a signup token, with the data of a user who doesn't exist yet. */
export interface SignupRequest {
  readonly attributes: Pick<UserInput, "username" | "email" | "firstName" | "lastName">
  readonly password: string | undefined
}

/** Manages signup tokens. Each token creates one user with the data stored for it (`v1.user_tokens`). Records no events. */
export class SignupTokens extends Context.Service<
  SignupTokens,
  {
    /** Validates and stores the data of a human. The token is returned only this once. */
    create(
      request: SignupRequest
    ): Effect.Effect<
      { readonly token: string; readonly signup: SignupToken },
      Rejected | HashingBusy | RealmNotFound,
      CurrentRealm
    >
    /** Returns the data stored for a token of the realm that is neither used nor expired. */
    get(token: string): Effect.Effect<SignupToken, SignupTokenNotFound, CurrentRealm>
    /** Uses up a token. Call it inside the transaction that creates the user. Only the first caller succeeds (C25). */
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

      /** Validates a request and hashes its password. */
      const draft = Effect.fnUntraced(function* ({ attributes: input, password }: SignupRequest) {
        const realm = yield* CurrentRealm
        const parsed = parseUserInput(
          { username: null, email: null, ...input },
          userRulesFor(realm, "human", asksForUsername(realm))
        )
        const { username = null, email = null, firstName = null, lastName = null } = parsed.attributes
        const owner = { username, email, firstName, lastName }
        const problems = [...parsed.problems, ...usernameProblems(owner)]
        if (password === undefined) problems.push(problem("password", "blank"))
        else problems.push(...(yield* passwords.problems({ password }, owner)))
        const taken = problems.length > 0 ? undefined : yield* users.findTaken(realm.id, owner)
        if (taken !== undefined) problems.push(problem(taken, "taken"))
        yield* rejectIfAny(problems)
        return { ...owner, passwordHash: yield* passwords.hash({ password: password ?? "" }) }
      })

      const create = Effect.fn("SignupTokens.create")(function* (request: SignupRequest) {
        const realm = yield* CurrentRealm
        const data = yield* draft(request)
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
