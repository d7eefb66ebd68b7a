import { Context, Effect, Layer } from "effect"
import { rejectIfAny } from "#domain/KnownProblems"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { type User, UserInactive, UserNotFound } from "#domain/User"
import { decideProfileChange, type decideUserChange, decideUserUpdate } from "#domain/UserChange"
import type { UserDetails } from "#domain/UserDetails"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { usernameProblems } from "#domain/Username"
import { Transaction } from "#platform/Transaction"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { AccessEnds } from "../provisioning/AccessEnds.ts"
import type { CredentialDraft } from "../provisioning/CredentialRequest.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { shortcutProblems } from "../provisioning/NewUsers.ts"
import { userEvents } from "../provisioning/UserEvents.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Users } from "./Users.ts"

/** A change of a user. Undefined fields are not changed. */
export interface UserUpdate {
  readonly attributes: UserInput
  readonly password: string | undefined
  /** The new API key of an API user. Replaces the user's first key, or adds a key if there is none. */
  readonly apiKey: string | undefined
  /** Whether the username of a human can't be removed (v1). */
  readonly usernameRequired: boolean
}

/** A user after an update. `apiKey` is the new API key, or null if it was not changed. */
export interface UpdatedUser extends UserDetails {
  readonly apiKey: string | null
}

const apiKeyRequest = (apiKey: string) => ({ credentialType: "api_key" as const, apiKey })

/** Lets administrators change users (`v2.users`), and lets users change their own profiles. */
export class UserUpdates extends Context.Service<
  UserUpdates,
  {
    /** Records `user.updated` with the events of a changed email, and `session.deleted` for each session that ends. */
    update(
      idOrEmail: string,
      request: UserUpdate
    ): Effect.Effect<UpdatedUser, UserNotFound | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /**
     * Changes an active human's own profile. Records `user.profile.updated` instead of `user.updated`. A new email takes
     * effect when it is verified. `guard` runs before any change, once the user's row is locked.
     */
    updateProfile<E = never, R = never>(
      idOrEmail: string,
      request: Pick<UserUpdate, "attributes" | "password">,
      guard?: Effect.Effect<void, E, R>
    ): Effect.Effect<
      UpdatedUser,
      E | UserNotFound | UserInactive | RealmNotFound | Rejected | HashingBusy,
      R | CurrentRealm
    >
  }
>()("sallyport/core/UserUpdates") {
  static readonly layer = Layer.effect(
    UserUpdates,
    Effect.gen(function* () {
      const repo = yield* UsersRepo
      const users = yield* Users
      const credentials = yield* CredentialsRepo
      const newCredentials = yield* NewCredentials
      const passwords = yield* NewPasswords
      const access = yield* AccessEnds
      const tokens = yield* OneTimeTokens
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** Validates a request and hashes its password. Hashing is slow, so this runs before the transaction. */
      const draft = Effect.fnUntraced(function* (user: User, { attributes: input, ...request }: UserUpdate) {
        const rules = userRulesFor(yield* CurrentRealm, user.userType, request.usernameRequired)
        const { attributes, problems: inputProblems } = parseUserInput(input, rules)
        const password = request.password === undefined ? undefined : { password: request.password }
        const problems = [...inputProblems, ...shortcutProblems(user.userType, request)]
        if (password !== undefined && user.userType === "human") {
          problems.push(...(yield* passwords.problems(password, { ...user, ...attributes })))
        }
        yield* rejectIfAny(problems)
        return {
          attributes,
          key:
            request.apiKey === undefined ? undefined : yield* newCredentials.draft(apiKeyRequest(request.apiKey), user),
          passwordHash: password === undefined ? undefined : yield* passwords.hash(password)
        }
      })

      /** Replaces an API user's first key, or adds a key if there is none. Returns the key, or null if it has not changed. */
      const setApiKey = Effect.fnUntraced(function* (user: User, draft: CredentialDraft) {
        const first = yield* credentials.firstApiKey(user.realmId, user.id)
        if (first === undefined || draft.apiKey === null) return (yield* newCredentials.add(user, draft)).apiKey
        const { key, digest, stored } = draft.apiKey
        const result = yield* credentials.replaceKey({ ...first, secret: stored }, digest)
        if (result === "api_key") return yield* rejection("api_key", "taken")
        return result ? key : null
      })

      const find = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const user = yield* repo.find(realm.id, yield* users.resolve(idOrEmail))
        return user ?? (yield* new UserNotFound({ id: idOrEmail }))
      })

      const apply = Effect.fnUntraced(function* <E = never, R = never>(
        user: User,
        request: UserUpdate,
        decide: typeof decideUserChange,
        guard?: Effect.Effect<void, E, R>
      ) {
        const { attributes, key, passwordHash } = yield* draft(user, request)
        const { id, realmId } = user

        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* repo.findForUpdate(realmId, id)
            if (before === undefined) return yield* new UserNotFound({ id })
            if (guard !== undefined) yield* guard
            const apiKey = key === undefined ? null : yield* setApiKey(before, key)
            const credential = passwordHash !== undefined ? "password" : apiKey === null ? undefined : "api_key"
            const { after, events, changed, endsSessions, revokedPurposes } = decide(before, attributes, credential)
            yield* rejectIfAny(usernameProblems(after, before))
            // A password change cancels a pending email change. Change the password first, so that it doesn't cancel the email
            // change in the same request.
            const passwordEvents = passwordHash === undefined ? [] : yield* passwords.change(before, passwordHash)
            const taken = events.length === 0 ? undefined : yield* repo.update(after)
            if (taken !== undefined) return yield* rejection(taken, "taken")
            if (revokedPurposes.length > 0) yield* tokens.revoke(after, revokedPurposes)
            const sessionEvents =
              endsSessions && passwordHash === undefined
                ? (yield* access.end(after, "deactivated")).events
                : passwordEvents
            const update = { previousEmail: before.email, changed }
            yield* journal.record([...(yield* userEvents(tokens, after, events, update)), ...sessionEvents])
            return { ...(yield* users.get(id)), apiKey }
          })
        )
      })

      const update = Effect.fn("UserUpdates.update")(function* (idOrEmail: string, request: UserUpdate) {
        return yield* apply(yield* find(idOrEmail), request, decideUserUpdate)
      })

      const updateProfile = Effect.fn("UserUpdates.updateProfile")(function* <E = never, R = never>(
        idOrEmail: string,
        request: Pick<UserUpdate, "attributes" | "password">,
        guard?: Effect.Effect<void, E, R>
      ) {
        const user = yield* find(idOrEmail)
        if (user.userType === "api") return yield* rejection("user", "humans_only")
        if (user.state === "inactive") return yield* new UserInactive({ userId: user.id })
        const profile = { ...request, apiKey: undefined, usernameRequired: false }
        return yield* apply(user, profile, decideProfileChange, guard)
      })

      return UserUpdates.of({ update, updateProfile })
    })
  )
}
