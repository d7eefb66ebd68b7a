import { Context, Effect, Equal, Layer } from "effect"
import type { ExternalType } from "#domain/AuthProvider"
import { type CredentialDetails, CredentialNotFound } from "#domain/Credential"
import { isId } from "#domain/Ids"
import type { Blocked, WrongCode } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import {
  type ApiKeyDraft,
  type CredentialAttributes,
  type CredentialRequest,
  requestedPassword
} from "../provisioning/CredentialRequest.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { TotpVerifier } from "./TotpVerifier.ts"

/** A credential with whose it is. `apiKey`: its key where that was just made or given, whatever the realm keeps. */
export interface OwnedCredential {
  readonly credential: CredentialDetails
  readonly user: User
  readonly apiKey: string | null
}

/** A new credential, and whose it is to be. */
export interface CredentialCreation extends CredentialRequest {
  readonly userId: string
}

/** What an update comes to, as far as it can be told before the transaction. */
interface Change {
  readonly passwordHash: string | undefined
  readonly apiKey: ApiKeyDraft | undefined
  readonly attributes: Partial<Pick<CredentialDetails, "name" | "providerUserId" | "secret" | "tokenExpiresAt">>
}

const noChange: Change = { passwordHash: undefined, apiKey: undefined, attributes: {} }

/** What users log in with (`v1.credentials`). */
export class Credentials extends Context.Service<
  Credentials,
  {
    get(id: string): Effect.Effect<OwnedCredential, CredentialNotFound, CurrentRealm>
    /** `user.updated`. */
    create(
      asked: CredentialCreation
    ): Effect.Effect<OwnedCredential, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /**
     * `user.updated` when something differs, a provider's token apart; a changed password ends the user's sessions:
     * `session.deleted` each.
     */
    update(
      id: string,
      changes: CredentialAttributes
    ): Effect.Effect<OwnedCredential, CredentialNotFound | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** Checks and uses up a code of a TOTP device. `user.updated` when that makes a new device active. */
    verify(
      id: string,
      code: string | null
    ): Effect.Effect<OwnedCredential, CredentialNotFound | RealmNotFound | Rejected | WrongCode | Blocked, CurrentRealm>
    /** `user.updated`. */
    delete(id: string): Effect.Effect<void, CredentialNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const repo = yield* CredentialsRepo
      const users = yield* UsersRepo
      const newCredentials = yield* NewCredentials
      const newPasswords = yield* NewPasswords
      const attempts = yield* LoginAttempts
      const codes = yield* TotpVerifier
      const journal = yield* Journal
      const transaction = yield* Transaction

      const find = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const credential = isId("credential", id) ? yield* repo.find(realm.id, id) : undefined
        return credential ?? (yield* new CredentialNotFound({ id }))
      })

      const get = Effect.fn("Credentials.get")(function* (id: string) {
        const credential = yield* find(id)
        const user = yield* users.find(credential.realmId, credential.userId)
        return { credential, user: user ?? (yield* new CredentialNotFound({ id })), apiKey: null }
      })

      /** The credential as it is once its user's row is held: every change of a credential holds that first. */
      const held = Effect.fnUntraced(function* ({ realmId, userId, id }: CredentialDetails) {
        const user = yield* users.findForUpdate(realmId, userId)
        return { credential: yield* find(id), user: user ?? (yield* new CredentialNotFound({ id })) }
      })

      const recordUpdate = (user: User) => journal.record([{ eventType: "user.updated", userId: user.id }])

      const create = Effect.fn("Credentials.create")(function* (asked: CredentialCreation) {
        const realm = yield* CurrentRealm
        const owner = isId("user", asked.userId) ? yield* users.find(realm.id, asked.userId) : undefined
        if (owner === undefined) return yield* rejected("user_id", "unknown")
        const draft = yield* newCredentials.draft(asked, owner)
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, owner.id)
            if (user === undefined) return yield* rejected("user_id", "unknown")
            const { credential, apiKey } = yield* newCredentials.add(user, draft)
            if (credential.credentialType === "password") {
              yield* newPasswords.revokeRequests(user)
              yield* attempts.clear(user, "password")
            }
            yield* recordUpdate(user)
            return { credential, user, apiKey }
          })
        )
      })

      /** What a caller asks of a credential that is there; only what its type has is heeded. */
      const decide = Effect.fnUntraced(function* (
        { credential, user }: OwnedCredential,
        asked: CredentialAttributes
      ): Effect.fn.Return<Change, Rejected | HashingBusy, CurrentRealm> {
        const { credentialType } = credential
        if (credentialType === "password") {
          const given = yield* requestedPassword(asked)
          return given === undefined ? noChange : { ...noChange, passwordHash: yield* newPasswords.draft(given, user) }
        }
        if (credentialType === "api_key") {
          const key = presence(asked.apiKey ?? null)
          return key === null ? noChange : { ...noChange, apiKey: yield* newCredentials.draftApiKey(key) }
        }
        if (credentialType === "totp") {
          if (asked.name === undefined) return noChange
          const name = presence(asked.name)
          return name === null ? yield* rejected("name", "blank") : { ...noChange, attributes: { name } }
        }
        credentialType satisfies ExternalType
        const { accessToken, providerUserId, tokenExpiresAt } = asked
        if (providerUserId !== undefined && presence(providerUserId) === null) {
          return yield* rejected("provider_user_id", "blank")
        }
        const attributes = {
          ...(accessToken === undefined ? {} : { secret: presence(accessToken) }),
          ...(providerUserId === undefined ? {} : { providerUserId }),
          ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt })
        }
        return { ...noChange, attributes }
      })

      /** Stores a change, inside the transaction. What it leads to, and the events to record. */
      const store = Effect.fnUntraced(function* (before: CredentialDetails, user: User, change: Change) {
        const { passwordHash, apiKey, attributes } = change
        const changed = [{ eventType: "user.updated" as const, userId: user.id }]
        if (passwordHash !== undefined) {
          const ended = yield* newPasswords.change(user, passwordHash, false)
          return { credential: before, events: [...changed, ...ended] }
        }
        if (apiKey !== undefined) {
          const credential = { ...before, secret: apiKey.stored }
          const put = yield* repo.putKey(credential, apiKey.digest)
          if (put === "api_key") return yield* rejected("api_key", "taken")
          return { credential, events: put ? changed : [] }
        }
        const credential = { ...before, ...attributes }
        if (Equal.equals(before, credential)) return { credential, events: [] }
        if ((yield* repo.update(credential)) !== undefined) return yield* rejected("provider_user_id", "taken")
        const tells = before.name !== credential.name || before.providerUserId !== credential.providerUserId
        return { credential, events: tells ? changed : [] }
      })

      const update = Effect.fn("Credentials.update")(function* (id: string, asked: CredentialAttributes) {
        const owned = yield* get(id)
        const change = yield* decide(owned, asked)
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* held(owned.credential)
            const { credential, events } = yield* store(before.credential, before.user, change)
            yield* journal.record(events)
            return { credential, user: before.user, apiKey: change.apiKey?.key ?? null }
          })
        )
      })

      const verify = Effect.fn("Credentials.verify")(function* (id: string, code: string | null) {
        const { credential, user } = yield* get(id)
        if (credential.credentialType !== "totp") return yield* rejected(null, "not_totp")
        if (code === null) return yield* rejected("code", "blank")
        return yield* codes
          .redeem({ user, code, devices: [credential], failed: [] }, (owner) =>
            Effect.gen(function* () {
              const before = yield* find(id)
              if (before.state === "active") return { credential: before, user: owner, apiKey: null }
              const active: CredentialDetails = { ...before, state: "active" }
              yield* repo.update(active)
              yield* recordUpdate(owner)
              return { credential: active, user: owner, apiKey: null }
            })
          )
          .pipe(Effect.catchTag("UserNotFound", () => new CredentialNotFound({ id })))
      })

      const remove = Effect.fn("Credentials.delete")(function* (id: string) {
        const found = yield* find(id)
        yield* transaction.run(
          Effect.gen(function* () {
            const { credential, user } = yield* held(found)
            yield* repo.delete(credential.realmId, credential.id)
            if (credential.credentialType === "password") yield* newPasswords.revokeRequests(user)
            yield* recordUpdate(user)
          })
        )
      })

      return Credentials.of({ get, create, update, verify, delete: remove })
    })
  )
}
