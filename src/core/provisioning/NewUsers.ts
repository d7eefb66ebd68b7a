import { Context, DateTime, Effect, Layer } from "effect"
import { type CredentialDetails, credentialTypes, MAX_CREDENTIALS_PER_TYPE } from "#domain/Credential"
import type { UserEventType } from "#domain/Event"
import { KnownProblems, rejectIfAny } from "#domain/KnownProblems"
import type { HashingBusy } from "#domain/Password"
import { provedEmailAfter } from "#domain/ProvedEmail"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { type Problem, problem, rejection } from "#domain/Rejected"
import { displayName, type User, type UserAttributes, type UserType } from "#domain/User"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { usernameProblems } from "#domain/Username"
import { localeIn, VisitorLanguage } from "#domain/VisitorLanguage"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { mapConflict } from "#store/statements/Writes"
import { type TakenField, UsersRepo } from "#store/users/UsersRepo"
import { type Change, Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { type CredentialDraft, type CredentialRequest, requestedPassword } from "./CredentialRequest.ts"
import { NewCredentials } from "./NewCredentials.ts"
import { NewPasswords, type Owner } from "./NewPasswords.ts"
import { carriesToken, userEvents } from "./UserEvents.ts"

/** A caller's input for a new user. `password` and `apiKey` are shortcuts for a credential of that type. */
export interface NewUser {
  readonly userType: UserType
  /** Whether a human must have a username. Only applies to realms that use usernames. */
  readonly usernameRequired: boolean
  readonly attributes: UserInput
  readonly password: string | undefined
  readonly apiKey: string | undefined
  /** The requested credentials, or undefined if the caller sent no `credentials`. */
  readonly credentials: ReadonlyArray<CredentialRequest> | undefined
}

/** A validated new user with a hashed password, ready to be inserted. */
export interface UserDraft {
  readonly user: User
  readonly credentials: ReadonlyArray<CredentialDraft>
}

/** Checks that the credential shortcuts fit the user type. */
export const shortcutProblems = (
  userType: UserType,
  input: Pick<NewUser, "password" | "apiKey">
): ReadonlyArray<Problem> => {
  if (userType === "human") return input.apiKey === undefined ? [] : [problem("api_key", "api_users_only")]
  return input.password === undefined ? [] : [problem("password", "humans_only")]
}

const takenField = (field: TakenField) => rejection(field, "taken")

const isPassword = ({ credentialType }: CredentialRequest): boolean => credentialType === "password"

/** Returns a problem for each type with too many credentials (SEC-102). */
const tooMany = (requests: ReadonlyArray<CredentialRequest>): ReadonlyArray<Problem> =>
  credentialTypes
    .filter(
      (type) => requests.filter(({ credentialType }) => credentialType === type).length > MAX_CREDENTIALS_PER_TYPE
    )
    .map((type) => problem("credentials", "too_many_credentials", { type, most: MAX_CREDENTIALS_PER_TYPE }))

/** Validates the combination of credentials (C22). */
const credentialsProblems = (request: NewUser): ReadonlyArray<Problem> => {
  const { userType, password, credentials } = request
  const problems = [...shortcutProblems(userType, request)]
  const passwords = credentials?.filter(isPassword) ?? []
  if (userType === "human" && password === undefined && credentials === undefined) {
    problems.push(problem("password", "blank"))
  }
  if (password !== undefined && passwords.length > 0) problems.push(problem("password", "password_twice"))
  if (passwords.length > 1) problems.push(problem("credentials", "one_password"))
  problems.push(...tooMany(requestsOf(request)))
  return problems
}

/** The requested credentials of a new user, starting with those from the shortcuts. */
const requestsOf = ({ password, apiKey, credentials = [] }: NewUser): ReadonlyArray<CredentialRequest> => [
  ...(password === undefined ? [] : [{ credentialType: "password" as const, password }]),
  ...(apiKey === undefined ? [] : [{ credentialType: "api_key" as const, apiKey }]),
  ...credentials
]

const eventsOf = ({ emailPending, emailVerification }: User): ReadonlyArray<UserEventType> => [
  "user.created",
  ...(emailPending === null ? [] : (["user.email.updating"] as const)),
  ...(emailVerification === "requested" ? (["user.email.verifying"] as const) : []),
  ...(emailVerification === "verified" ? (["user.email.verified"] as const) : [])
]

/** Returns whether the events of a new user carry tokens. */
export const issuesTokens = ({ user }: UserDraft): boolean => eventsOf(user).some(carriesToken)

/** The change that creates a user with credentials. */
export interface NewUserChange extends Change<Rejected> {
  readonly credentials: ReadonlyArray<CredentialDetails>
}

/** Creates users. Used by all operations that create them. */
export class NewUsers extends Context.Service<
  NewUsers,
  {
    /** Validates a new user and hashes the password. Hashing is slow, so call it before opening a transaction. */
    draft(request: NewUser): Effect.Effect<UserDraft, Rejected | HashingBusy, CurrentRealm>
    /**
     * Returns the change that creates a user: the insertion, `user.created` and the events of the email. If `issuesTokens` is
     * true, call it inside a transaction. It then inserts the user itself, because a token can only be issued to an existing
     * user.
     */
    change(draft: UserDraft): Effect.Effect<NewUserChange, Rejected | RealmNotFound, CurrentRealm>
    /** Inserts a draft. Returns the events to record: `user.created` and the events of the email. */
    insert(draft: UserDraft): Effect.Effect<ReadonlyArray<NewEvent>, Rejected | RealmNotFound, CurrentRealm>
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
      const journal = yield* Journal

      const namesOf = (userType: UserType, attributes: UserAttributes) => {
        const { email = null, firstName = null, lastName = null } = attributes
        const generatedName = userType === "api" ? `api_${randomSecret(entropy, 9).toLowerCase()}` : null
        const names = { email, firstName, lastName, username: attributes.username ?? generatedName }
        return { ...names, name: attributes.name ?? (userType === "api" ? (names.username ?? "") : displayName(names)) }
      }

      /**
       * Validates the password of a user who is rejected for other reasons, so that all problems are reported. Doesn't hash it.
       */
      const passwordProblems = Effect.fnUntraced(function* (requests: ReadonlyArray<CredentialRequest>, owner: Owner) {
        const problems: Array<Problem> = []
        for (const request of requests.filter(isPassword)) {
          const found = yield* requestedPassword(request).pipe(
            Effect.flatMap((input) => (input === undefined ? Effect.succeed([]) : passwords.problems(input, owner))),
            Effect.catchTag("Rejected", (error) => Effect.succeed(error.problems))
          )
          problems.push(...found)
        }
        return problems
      })

      const draft = Effect.fnUntraced(function* (request: NewUser) {
        const realm = yield* CurrentRealm
        const { userType } = request
        const input = userType === "human" ? { email: null, username: null, ...request.attributes } : request.attributes
        const parsed = parseUserInput(input, userRulesFor(realm, userType, request.usernameRequired))
        const names = namesOf(userType, parsed.attributes)
        const problems = [...parsed.problems, ...usernameProblems(names), ...credentialsProblems(request)]
        const requests = requestsOf(request)
        if (problems.length > 0 || (yield* KnownProblems).length > 0) {
          if (userType === "human") problems.push(...(yield* passwordProblems(requests, names)))
          yield* rejectIfAny(problems)
        }

        const createdAt = yield* DateTime.now
        const user: User = {
          id: ids.makeAt("user", createdAt.epochMilliseconds),
          realmId: realm.id,
          userType,
          state: "active",
          emailPending: null,
          emailVerification: "none",
          provedEmail: provedEmailAfter({ ...parsed.attributes, ...names }, null),
          locale: userType === "human" ? localeIn(realm.availableLocales, yield* VisitorLanguage) : null,
          reference: null,
          custom: {},
          ...parsed.attributes,
          ...names,
          createdAt,
          lastLoginAt: null,
          deletionAt: null
        }
        const owner = { ...names, userType }
        const credentials: Array<CredentialDraft> = []
        for (const request of requests) credentials.push(yield* newCredentials.draft(request, owner))
        return { user, credentials }
      })

      const change = Effect.fnUntraced(function* (draft: UserDraft) {
        const { user } = draft
        const first =
          draft.credentials.length === 0 ? undefined : yield* newCredentials.insertion(user, draft.credentials)
        const newUser = repo.insertion(user).map((write) => mapConflict(write, takenField))
        const writes = first === undefined ? newUser : [...newUser, first.insertion]
        const insertsFirst = issuesTokens(draft)
        if (insertsFirst) yield* journal.write([{ writes, events: [] }])
        const events = yield* userEvents(tokens, user, eventsOf(user))
        return { writes: insertsFirst ? [] : writes, events, credentials: first?.credentials ?? [] }
      })

      const insert = Effect.fnUntraced(function* (draft: UserDraft) {
        const { writes, events } = yield* change(draft)
        yield* journal.write([{ writes, events: [] }])
        return events
      })

      return NewUsers.of({ draft, change, insert })
    })
  )
}
