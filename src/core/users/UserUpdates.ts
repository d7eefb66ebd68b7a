import { Context, Effect, Layer } from "effect"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { type User, UserInactive, UserNotFound } from "#domain/User"
import { decideProfileChange, decideUserChange } from "#domain/UserChange"
import type { UserDetails } from "#domain/UserDetails"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { Transaction } from "#platform/Transaction"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import type { CredentialDraft } from "../provisioning/CredentialRequest.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { shortcutProblems } from "../provisioning/NewUsers.ts"
import { userEvents } from "../provisioning/UserEvents.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Users } from "./Users.ts"

/** What a caller changes of a user; what is undefined stays as it is. */
export interface UserUpdate {
  readonly attributes: UserInput
  readonly password: string | undefined
  /** Of an api user: changes the first key, or makes one. */
  readonly apiKey: string | undefined
  /** Whether a human's username may not be taken away (v1). */
  readonly usernameRequired: boolean
}

/** A user after an update; with its API key when that was changed. */
export interface UpdatedUser extends UserDetails {
  readonly apiKey: string | null
}

const keyAsked = (apiKey: string) => ({ credentialType: "api_key" as const, apiKey })

/** Administrative changes of users (`v2.users`). */
export class UserUpdates extends Context.Service<
  UserUpdates,
  {
    /** `user.updated` and what its e-mail adds; `session.deleted` each where sessions end. */
    update(
      idOrEmail: string,
      asked: UserUpdate
    ): Effect.Effect<UpdatedUser, UserNotFound | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** What active humans change of themselves: `user.profile.updated`, otherwise the same. A new e-mail waits for its proof. */
    updateProfile(
      idOrEmail: string,
      asked: Pick<UserUpdate, "attributes" | "password">
    ): Effect.Effect<UpdatedUser, UserNotFound | UserInactive | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
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
      const tokens = yield* OneTimeTokens
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** Checks what was asked, and hashes the password: slow, so before the transaction. */
      const drafted = Effect.fnUntraced(function* (known: User, { attributes: typed, ...asked }: UserUpdate) {
        const rules = userRulesFor(yield* CurrentRealm, known.userType, asked.usernameRequired)
        const { attributes, problems: wrong } = parseUserInput(typed, rules)
        const password = asked.password === undefined ? undefined : { password: asked.password }
        const problems = [...wrong, ...shortcutProblems(known.userType, asked)]
        if (password !== undefined && known.userType === "human") {
          problems.push(...(yield* passwords.problems(password, { ...known, ...attributes })))
        }
        if (problems.length > 0) return yield* new Rejected({ problems })
        return {
          attributes,
          key: asked.apiKey === undefined ? undefined : yield* newCredentials.draft(keyAsked(asked.apiKey), known),
          passwordHash: password === undefined ? undefined : yield* passwords.hash(password)
        }
      })

      /** Puts a key in place of an api user's first one, or gives it one. The key, unless it is the one from before. */
      const putKey = Effect.fnUntraced(function* (user: User, draft: CredentialDraft) {
        const first = yield* credentials.firstApiKey(user.realmId, user.id)
        if (first === undefined || draft.apiKey === null) return (yield* newCredentials.add(user, draft)).apiKey
        const { key, digest, stored: kept } = draft.apiKey
        const put = yield* credentials.putKey({ ...first, secret: kept }, digest)
        if (put === "api_key") return yield* rejected("api_key", "taken")
        return put ? key : null
      })

      const find = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const known = yield* repo.find(realm.id, yield* users.resolve(idOrEmail))
        return known ?? (yield* new UserNotFound({ id: idOrEmail }))
      })

      const apply = Effect.fnUntraced(function* (known: User, asked: UserUpdate, decide: typeof decideUserChange) {
        const { attributes, key, passwordHash } = yield* drafted(known, asked)
        const { id, realmId } = known

        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* repo.findForUpdate(realmId, id)
            if (before === undefined) return yield* new UserNotFound({ id })
            const apiKey = key === undefined ? null : yield* putKey(before, key)
            const credential = passwordHash !== undefined ? "password" : apiKey === null ? undefined : "api_key"
            const { after, events, endsSessions, revokedPurposes: voids } = decide(before, attributes, credential)
            // Before the update: an e-mail that the same call gives is not one that was asked for under the old password.
            const changed = passwordHash === undefined ? [] : yield* passwords.change(before, passwordHash, false)
            const taken = events.length === 0 ? undefined : yield* repo.update(after)
            if (taken !== undefined) return yield* rejected(taken, "taken")
            if (voids.length > 0) yield* tokens.revoke(after, voids)
            const ended = endsSessions && passwordHash === undefined ? yield* passwords.endSessions(after) : changed
            yield* journal.record([...(yield* userEvents(tokens, after, events, before.email)), ...ended])
            return { ...(yield* users.get(id)), apiKey }
          })
        )
      })

      const update = Effect.fn("UserUpdates.update")(function* (idOrEmail: string, asked: UserUpdate) {
        return yield* apply(yield* find(idOrEmail), asked, decideUserChange)
      })

      const updateProfile = Effect.fn("UserUpdates.updateProfile")(function* (
        idOrEmail: string,
        asked: Pick<UserUpdate, "attributes" | "password">
      ) {
        const known = yield* find(idOrEmail)
        if (known.userType === "api") return yield* rejected("user", "humans_only")
        if (known.state === "inactive") return yield* new UserInactive({ userId: known.id })
        const update = { ...asked, apiKey: undefined, usernameRequired: false }
        return yield* apply(known, update, decideProfileChange)
      })

      return UserUpdates.of({ update, updateProfile })
    })
  )
}
