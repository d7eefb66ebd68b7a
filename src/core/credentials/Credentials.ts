import { Context, Effect, Equal, Layer } from "effect"
import { type AccountNotice, noticeOf } from "#domain/AccountNotice"
import type { ExternalType } from "#domain/AuthProvider"
import { type CredentialDetails, CredentialNotFound, type CredentialType } from "#domain/Credential"
import { changedByCredential } from "#domain/EventChanges"
import { isId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import type { Blocked, WrongCode } from "#domain/Login"
import type { Passkey, PasskeyCreation } from "#domain/Passkey"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { AccessEnds } from "../provisioning/AccessEnds.ts"
import {
  type ApiKeyDraft,
  type CredentialAttributes,
  type CredentialRequest,
  requestedPassword
} from "../provisioning/CredentialRequest.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import { CodeVerifier } from "./CodeVerifier.ts"
import { PasskeyEnrolments } from "./PasskeyEnrolments.ts"

/**
 * A credential with its user. `apiKey` is a key that this operation generated or set. It is included even if the realm stores
 * only digests.
 */
export interface OwnedCredential {
  readonly credential: CredentialDetails
  readonly user: User
  readonly apiKey: string | null
  /** The recovery codes created by this operation. */
  readonly recoveryCodes?: ReadonlyArray<string>
  /** The passkey, or null if the credential is of another type. */
  readonly passkey: Passkey | null
}

/** A request to create a credential for a user. For a passkey, it includes the authenticator's response. */
export interface CredentialCreation extends CredentialRequest {
  readonly userId: string
  readonly token?: string | undefined
  readonly creation?: PasskeyCreation | undefined
}

/** A validated update, with its password hashed. */
interface CredentialChange {
  readonly passwordHash: string | undefined
  readonly apiKey: ApiKeyDraft | undefined
  readonly attributes: Partial<Pick<CredentialDetails, "name" | "providerUserId" | "secret" | "tokenExpiresAt">>
}

const noChange: CredentialChange = { passwordHash: undefined, apiKey: undefined, attributes: {} }

/** Manages users' credentials: passwords, API keys, TOTP devices, passkeys and external profiles (`v1.credentials`). */
export class Credentials extends Context.Service<
  Credentials,
  {
    get(id: string): Effect.Effect<OwnedCredential, CredentialNotFound, CurrentRealm>
    /**
     * Creates a credential. Records `user.updated`. `guard` runs before any change, once the user's row is locked. The same
     * applies to `verify`.
     */
    create<E = never, R = never>(
      request: CredentialCreation,
      guard?: Effect.Effect<void, E, R>
    ): Effect.Effect<OwnedCredential, E | RealmNotFound | Rejected | HashingBusy, R | CurrentRealm>
    /**
     * Updates a credential. Records `user.updated`, unless only a provider's access token changes. A changed password ends the
     * user's sessions and records `session.deleted` for each.
     */
    update(
      id: string,
      changes: CredentialAttributes
    ): Effect.Effect<OwnedCredential, CredentialNotFound | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** Verifies and uses up a code of a TOTP device. If the device is new, activates it and records `user.updated`. */
    verify<E = never, R = never>(
      id: string,
      code: string | null,
      guard?: Effect.Effect<void, E, R>
    ): Effect.Effect<
      OwnedCredential,
      E | CredentialNotFound | RealmNotFound | Rejected | WrongCode | Blocked,
      R | CurrentRealm
    >
    /** Deletes a credential. Records `user.updated`. */
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
      const access = yield* AccessEnds
      const devices = yield* TrustedDevices
      const passkeys = yield* PasskeysRepo
      const enrolments = yield* PasskeyEnrolments
      const attempts = yield* LoginAttempts
      const codeVerifier = yield* CodeVerifier
      const journal = yield* Journal
      const transaction = yield* Transaction

      const find = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const credential = isId("credential", id) ? yield* repo.find(realm.id, id) : undefined
        return credential ?? (yield* new CredentialNotFound({ id }))
      })

      const passkeyOf = Effect.fnUntraced(function* ({ credentialType, realmId, id }: CredentialDetails) {
        return credentialType === "passkey" ? ((yield* passkeys.find(realmId, id)) ?? null) : null
      })

      const get = Effect.fn("Credentials.get")(function* (id: string) {
        const credential = yield* find(id)
        const user = yield* users.find(credential.realmId, credential.userId)
        const passkey = yield* passkeyOf(credential)
        return { credential, user: user ?? (yield* new CredentialNotFound({ id })), apiKey: null, passkey }
      })

      /** Locks the user's row, then reads the credential again. Every change of a credential takes this lock first. */
      const findLocked = Effect.fnUntraced(function* ({ realmId, userId, id }: CredentialDetails) {
        const user = yield* users.findForUpdate(realmId, userId)
        const credential = yield* find(id)
        const passkey = yield* passkeyOf(credential)
        return { credential, user: user ?? (yield* new CredentialNotFound({ id })), passkey }
      })

      const updateOf = (user: User, type: CredentialType, notice?: AccountNotice) => ({
        eventType: "user.updated" as const,
        userId: user.id,
        changed: changedByCredential(type, user),
        notice
      })

      const create = Effect.fn("Credentials.create")(function* <E = never, R = never>(
        request: CredentialCreation,
        guard?: Effect.Effect<void, E, R>
      ) {
        const realm = yield* CurrentRealm
        const owner = isId("user", request.userId) ? yield* users.find(realm.id, request.userId) : undefined
        if (owner === undefined) return yield* rejection("user_id", "unknown")
        if (request.credentialType === "passkey") {
          const { token = "", creation, name = null } = request
          const enrolled = yield* enrolments.create(owner, { token, creation, name }, guard)
          return { ...enrolled, user: owner, apiKey: null }
        }
        const draft = yield* newCredentials.draft(request, owner)
        yield* rejectIfAny([])
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, owner.id)
            if (user === undefined) return yield* rejection("user_id", "unknown")
            if (guard !== undefined) yield* guard
            const created = yield* newCredentials.add(user, draft)
            const { credential } = created
            const isPassword = credential.credentialType === "password"
            const { events } = isPassword
              ? yield* access.end(user, "password_changed", "all")
              : { events: yield* devices.endAfter(user, credential, "added") }
            if (isPassword) yield* attempts.clear(user, "password")
            // A new device can't be used to log in until it is activated.
            const notice = credential.state === "new" ? undefined : noticeOf(credential.credentialType, "added")
            yield* journal.record([updateOf(user, credential.credentialType, notice), ...events])
            return { ...created, user, passkey: null }
          })
        )
      })

      /** Validates an update. Ignores fields that the credential's type does not use. */
      const draftChange = Effect.fnUntraced(function* (
        { credential, user }: OwnedCredential,
        input: CredentialAttributes
      ): Effect.fn.Return<CredentialChange, Rejected | HashingBusy, CurrentRealm> {
        const { credentialType } = credential
        if (credentialType === "password") {
          const password = yield* requestedPassword(input)
          if (password === undefined) return noChange
          return { ...noChange, passwordHash: yield* newPasswords.draft(password, user) }
        }
        if (credentialType === "api_key") {
          const key = nonBlank(input.apiKey ?? null)
          return key === null ? noChange : { ...noChange, apiKey: yield* newCredentials.draftApiKey(key) }
        }
        if (credentialType === "totp") {
          if (input.name === undefined) return noChange
          const name = nonBlank(input.name)
          return name === null ? yield* rejection("name", "blank") : { ...noChange, attributes: { name } }
        }
        if (credentialType === "recovery_codes") return noChange
        if (credentialType === "passkey") {
          return input.name === undefined ? noChange : { ...noChange, attributes: { name: nonBlank(input.name) } }
        }
        credentialType satisfies ExternalType
        const { accessToken, providerUserId, tokenExpiresAt } = input
        if (providerUserId !== undefined && nonBlank(providerUserId) === null) {
          return yield* rejection("provider_user_id", "blank")
        }
        const attributes = {
          ...(accessToken === undefined ? {} : { secret: nonBlank(accessToken) }),
          ...(providerUserId === undefined ? {} : { providerUserId }),
          ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt })
        }
        return { ...noChange, attributes }
      })

      /** Stores a change, inside the transaction. Returns the changed credential and the events to record. */
      const store = Effect.fnUntraced(function* (before: CredentialDetails, user: User, change: CredentialChange) {
        const { passwordHash, apiKey, attributes } = change
        const userUpdated = [updateOf(user, before.credentialType)]
        if (passwordHash !== undefined) {
          const sessionEvents = yield* newPasswords.change(user, passwordHash)
          const update = updateOf(user, before.credentialType, "password_changed")
          return { credential: before, events: [update, ...sessionEvents] }
        }
        if (apiKey !== undefined) {
          const credential = { ...before, secret: apiKey.stored }
          const result = yield* repo.replaceKey(credential, apiKey.digest)
          if (result === "api_key") return yield* rejection("api_key", "taken")
          return { credential, events: result ? userUpdated : [] }
        }
        const credential = { ...before, ...attributes }
        if (Equal.equals(before, credential)) return { credential, events: [] }
        if ((yield* repo.update(credential)) !== undefined) return yield* rejection("provider_user_id", "taken")
        const isReported = before.name !== credential.name || before.providerUserId !== credential.providerUserId
        return { credential, events: isReported ? userUpdated : [] }
      })

      const update = Effect.fn("Credentials.update")(function* (id: string, changes: CredentialAttributes) {
        const current = yield* get(id)
        const change = yield* draftChange(current, changes)
        yield* rejectIfAny([])
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* findLocked(current.credential)
            const { credential, events } = yield* store(before.credential, before.user, change)
            yield* journal.record(events)
            return { ...before, credential, apiKey: change.apiKey?.key ?? null }
          })
        )
      })

      const verify = Effect.fn("Credentials.verify")(function* <E = never, R = never>(
        id: string,
        code: string | null,
        guard?: Effect.Effect<void, E, R>
      ) {
        const { credential, user } = yield* get(id)
        if (credential.credentialType !== "totp") return yield* rejection(null, "not_totp")
        if (code === null) return yield* rejection("code", "blank")
        return yield* codeVerifier
          .redeem({ user, code, devices: [credential], acceptsRecoveryCode: false, failureEvents: [] }, (owner) =>
            Effect.gen(function* () {
              if (guard !== undefined) yield* guard
              const before = yield* find(id)
              if (before.state === "active") return { credential: before, user: owner, apiKey: null, passkey: null }
              const active: CredentialDetails = { ...before, state: "active" }
              yield* repo.update(active)
              const { credentialType: type } = active
              const untrusted = yield* devices.endAfter(owner, active, "added")
              yield* journal.record([updateOf(owner, type, noticeOf(type, "added")), ...untrusted])
              return { credential: active, user: owner, apiKey: null, passkey: null }
            })
          )
          .pipe(Effect.catchTag("UserNotFound", () => new CredentialNotFound({ id })))
      })

      const remove = Effect.fn("Credentials.delete")(function* (id: string) {
        const current = yield* find(id)
        yield* transaction.run(
          Effect.gen(function* () {
            const { credential, user } = yield* findLocked(current)
            yield* repo.delete(credential.realmId, credential.id)
            const { events } =
              credential.credentialType === "password"
                ? yield* access.end(user, "password_changed", "all")
                : { events: yield* devices.endAfter(user, credential, "removed") }
            const notice = credential.state === "new" ? undefined : noticeOf(credential.credentialType, "removed")
            yield* journal.record([updateOf(user, credential.credentialType, notice), ...events])
          })
        )
      })

      return Credentials.of({ get, create, update, verify, delete: remove })
    })
  )
}
