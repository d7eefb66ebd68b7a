import { Context, DateTime, Effect, Layer } from "effect"
import { credentialTypes, MOST_OF_TYPE } from "#domain/Credential"
import type { EventType } from "#domain/Event"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected, rejected } from "#domain/Rejected"
import { displayName, type User, type UserAttributes, type UserType } from "#domain/User"
import { acceptUser, rulesFor, type UserInput } from "#domain/UserInput"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { secretText } from "#platform/Tokens"
import { UsersRepo } from "#store/UsersRepo"
import type { NewEvent } from "../events/Journal.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { type CredentialDraft, type CredentialRequest, NewCredentials, passwordAsked } from "./NewCredentials.ts"
import { NewPasswords, type Owner } from "./NewPasswords.ts"
import { userEvents } from "./UserEvents.ts"

/** What a caller gives of a new user. `password` and `apiKey` are shortcuts to a credential of that type. */
export interface NewUser {
  readonly userType: UserType
  /** Whether a human needs a username, where humans have one. */
  readonly usernameRequired: boolean
  readonly attributes: UserInput
  readonly password: string | undefined
  readonly apiKey: string | undefined
  /** Undefined: they were not mentioned at all. */
  readonly credentials: ReadonlyArray<CredentialRequest> | undefined
}

/** A new user that was checked, its password hashed: ready to be inserted. */
export interface UserDraft {
  readonly user: User
  readonly credentials: ReadonlyArray<CredentialDraft>
}

/** What a shortcut to a credential is refused with, where users of the type have none such. */
export const shortcutProblems = (
  userType: UserType,
  given: Pick<NewUser, "password" | "apiKey">
): ReadonlyArray<Problem> => {
  if (userType === "human") return given.apiKey === undefined ? [] : [problem("api_key", "api_users_only")]
  return given.password === undefined ? [] : [problem("password", "humans_only")]
}

const isPassword = ({ credentialType }: CredentialRequest): boolean => credentialType === "password"

/** The types of which there are too many (SEC-102). */
const tooMany = (requests: ReadonlyArray<CredentialRequest>): ReadonlyArray<Problem> =>
  credentialTypes
    .filter((type) => requests.filter(({ credentialType }) => credentialType === type).length > MOST_OF_TYPE)
    .map((type) => problem("credentials", "too_many_credentials", { type, most: MOST_OF_TYPE }))

/** What is wrong with the credentials taken together (decision 22). */
const credentialsProblems = (asked: NewUser): ReadonlyArray<Problem> => {
  const { userType, password, credentials } = asked
  const problems = [...shortcutProblems(userType, asked)]
  const passwords = credentials?.filter(isPassword) ?? []
  if (userType === "human" && password === undefined && credentials === undefined) {
    problems.push(problem("password", "blank"))
  }
  if (password !== undefined && passwords.length > 0) problems.push(problem("password", "password_twice"))
  if (passwords.length > 1) problems.push(problem("credentials", "one_password"))
  problems.push(...tooMany(requestsOf(asked)))
  return problems
}

/** The credentials of a new user; that of the shortcut is the first. */
const requestsOf = ({ password, apiKey, credentials = [] }: NewUser): ReadonlyArray<CredentialRequest> => [
  ...(password === undefined ? [] : [{ credentialType: "password" as const, password }]),
  ...(apiKey === undefined ? [] : [{ credentialType: "api_key" as const, apiKey }]),
  ...credentials
]

const eventsOf = ({ emailPending, emailVerification }: User): ReadonlyArray<EventType> => [
  "user.created",
  ...(emailPending === null ? [] : (["user.email.updating"] as const)),
  ...(emailVerification === "requested" ? (["user.email.verifying"] as const) : []),
  ...(emailVerification === "verified" ? (["user.email.verified"] as const) : [])
]

/** The making of users, for all operations that make one. */
export class NewUsers extends Context.Service<
  NewUsers,
  {
    /** Checks a new user and hashes its password: slow, so to be called before any transaction. */
    draft(asked: NewUser): Effect.Effect<UserDraft, Rejected | HashingBusy, CurrentRealm>
    /** Inserts a draft. The events to record with it: `user.created`, and what its e-mails add. */
    insert(draft: UserDraft): Effect.Effect<ReadonlyArray<NewEvent>, Rejected>
  }
>()("sallyport/core/NewUsers") {
  static readonly layer = Layer.effect(
    NewUsers,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* UsersRepo
      const passwords = yield* NewPasswords
      const newCredentials = yield* NewCredentials
      const tokens = yield* OneTimeTokens

      const namesOf = (userType: UserType, attributes: UserAttributes) => {
        const { email = null, firstName = null, lastName = null } = attributes
        const made = userType === "api" ? `api_${secretText(entropy, 9).toLowerCase()}` : null
        const names = { email, firstName, lastName, username: attributes.username ?? made }
        return { ...names, name: attributes.name ?? (userType === "api" ? (names.username ?? "") : displayName(names)) }
      }

      /** What is wrong with the password, once the user is refused anyway: nothing is hashed for that. */
      const passwordProblems = Effect.fnUntraced(function* (requests: ReadonlyArray<CredentialRequest>, owner: Owner) {
        const problems: Array<Problem> = []
        for (const request of requests.filter(isPassword)) {
          const found = yield* passwordAsked(request).pipe(
            Effect.flatMap((given) => (given === undefined ? Effect.succeed([]) : passwords.problems(given, owner))),
            Effect.catchTag("Rejected", (error) => Effect.succeed(error.problems))
          )
          problems.push(...found)
        }
        return problems
      })

      const draft = Effect.fnUntraced(function* (asked: NewUser) {
        const realm = yield* CurrentRealm
        const { userType } = asked
        const typed = userType === "human" ? { email: null, username: null, ...asked.attributes } : asked.attributes
        const accepted = acceptUser(typed, rulesFor(realm, userType, asked.usernameRequired))
        const names = namesOf(userType, accepted.attributes)
        const problems = [...accepted.problems, ...credentialsProblems(asked)]
        const requests = requestsOf(asked)
        if (problems.length > 0) {
          if (userType === "human") problems.push(...(yield* passwordProblems(requests, names)))
          return yield* new Rejected({ problems })
        }

        const user: User = {
          id: yield* ids.make("user"),
          realmId: realm.id,
          userType,
          state: "active",
          emailPending: null,
          emailVerification: "none",
          locale: null,
          reference: null,
          custom: {},
          ...accepted.attributes,
          ...names,
          createdAt: yield* DateTime.now,
          lastLoginAt: null
        }
        const credentials = yield* Effect.forEach(requests, (request) =>
          newCredentials.draft(request, { ...names, userType })
        )
        return { user, credentials }
      })

      const insert = Effect.fnUntraced(function* ({ user, credentials }: UserDraft) {
        const taken = yield* repo.insert(user)
        if (taken !== undefined) return yield* rejected(taken, "taken")
        yield* Effect.forEach(credentials, (credential) => newCredentials.insert(user, credential), { discard: true })
        return yield* userEvents(tokens, user, eventsOf(user))
      })

      return NewUsers.of({ draft, insert })
    })
  )
}
