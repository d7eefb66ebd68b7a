import { Context, type DateTime, Effect, Layer } from "effect"
import { CredentialNotFound } from "#domain/Credential"
import type { PasskeyCreation } from "#domain/Passkey"
import { passkeyModelOf } from "#domain/PasskeyModels"
import { type CreationOptions, type PasskeyOptions, passkeyNamesOf, userHandleOf } from "#domain/PasskeyOptions"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { LoginStale } from "#domain/Reauthentication"
import { type Rejected, rejection } from "#domain/Rejected"
import type { SessionNotFound } from "#domain/Session"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "#domain/Text"
import type { User } from "#domain/User"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"
import { Credentials } from "../credentials/Credentials.ts"
import { PasskeyEnrolments } from "../credentials/PasskeyEnrolments.ts"
import { BrowserSessions, type LoggedInVisitor } from "../sessions/BrowserSessions.ts"
import { AccountProofs } from "./AccountProofs.ts"
import { SignInMethods } from "./SignInMethods.ts"

/** A passkey as shown to its owner. */
export interface OwnPasskey {
  readonly id: string
  /** The name given by the owner, or else the name of the authenticator model; undefined if neither is known. */
  readonly name: string | undefined
  /** Whether the passkey can be synced between devices. */
  readonly synced: boolean
  /** The only domain on which the passkey works, if the realm's passkeys now use another domain. */
  readonly restrictedToDomain: string | undefined
  readonly createdAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc | null
}

/** The data with which a browser brings a user's stored passkeys up to date (WebAuthn's Signal API, C306). */
export interface AcceptedPasskeys {
  readonly rpId: string
  /** The user handle, in base64url. */
  readonly userId: string
  /** The WebAuthn credential IDs of the domain `rpId`, in base64url. */
  readonly credentialIds: ReadonlyArray<string>
  readonly name: string
  readonly displayName: string
}

/** A passkey just created by a browser. */
export interface NewPasskey {
  /** The token of the challenge. */
  readonly token: string
  /** The authenticator's response, or undefined if the browser sent none. */
  readonly creation: PasskeyCreation | undefined
  /** The name of the passkey; may be blank. */
  readonly name: string
}

/** Lets users manage their own passkeys, on the hosted pages (C50, C138). */
export class AccountPasskeys extends Context.Service<
  AccountPasskeys,
  {
    /** Whether the realm supports passkeys. */
    readonly isSupported: Effect.Effect<boolean, never, CurrentRealm>
    /** The user's passkeys, oldest first, or undefined if the realm doesn't support passkeys. */
    list(user: User): Effect.Effect<ReadonlyArray<OwnPasskey> | undefined, never, CurrentRealm>
    /** The passkeys that the realm accepts from the user, and the user's names, or undefined if it doesn't support passkeys. */
    accepted(user: User): Effect.Effect<AcceptedPasskeys | undefined, never, CurrentRealm>
    /** Begins the creation of a passkey on a page with this origin. Requires a recent proof of identity (SEC-121). */
    begin(
      visitor: LoggedInVisitor,
      origin: string
    ): Effect.Effect<PasskeyOptions<CreationOptions>, Rejected | LoginStale, CurrentRealm>
    /**
     * Adds a passkey whose creation was begun for this user (SEC-120), if the browser is still logged in (SEC-143). Requires
     * the same proof as `begin`. Records `user.updated`.
     */
    add(
      visitor: LoggedInVisitor,
      passkey: NewPasskey
    ): Effect.Effect<void, Rejected | LoginStale | SessionNotFound | RealmNotFound, CurrentRealm>
    /** Renames a passkey. If the name is blank, the passkey is named after its authenticator. Records `user.updated`. */
    rename(
      user: User,
      id: string,
      name: string
    ): Effect.Effect<void, Rejected | CredentialNotFound | RealmNotFound, CurrentRealm>
    /**
     * Removes a passkey, unless it is the user's last sign-in method. Requires the same proof as `begin`. Records
     * `user.updated`.
     */
    remove(
      visitor: LoggedInVisitor,
      id: string
    ): Effect.Effect<void, Rejected | CredentialNotFound | RealmNotFound | LoginStale, CurrentRealm>
  }
>()("sallyport/core/AccountPasskeys") {
  static readonly layer = Layer.effect(
    AccountPasskeys,
    Effect.gen(function* () {
      const relyingParties = yield* RelyingParties
      const proofs = yield* AccountProofs
      const browsers = yield* BrowserSessions
      const methods = yield* SignInMethods
      const credentials = yield* Credentials
      const enrolments = yield* PasskeyEnrolments
      const passkeys = yield* PasskeysRepo
      const providers = yield* AuthProvidersRepo

      const isSupported = Effect.gen(function* () {
        const provider = yield* providers.stateOf((yield* CurrentRealm).id, "passkey")
        return provider?.state === "active"
      })

      const list = Effect.fn("AccountPasskeys.list")(function* ({ realmId, id }: User) {
        const provider = yield* providers.stateOf(realmId, "passkey")
        if (provider?.state !== "active") return undefined
        const rpId = yield* relyingParties.rpId
        const found = yield* Effect.forEach(yield* passkeys.ofUser(realmId, id), (passkey) =>
          credentials.get(passkey.id).pipe(
            Effect.map(({ credential }) => ({
              id: passkey.id,
              name: credential.name ?? passkeyModelOf(passkey.aaguid),
              synced: passkey.backupEligible,
              restrictedToDomain: passkey.rpId === rpId ? undefined : passkey.rpId,
              createdAt: credential.createdAt,
              lastUsedAt: passkey.lastUsedAt
            })),
            // The passkey was removed in the meantime.
            Effect.catchTag("CredentialNotFound", () => Effect.succeed(undefined))
          )
        )
        return found.filter((one) => one !== undefined)
      })

      const accepted = Effect.fn("AccountPasskeys.accepted")(function* (user: User) {
        const provider = yield* providers.stateOf(user.realmId, "passkey")
        const rpId = yield* relyingParties.rpId
        if (provider?.state !== "active" || rpId === undefined) return undefined
        const own = yield* passkeys.ofUser(user.realmId, user.id)
        return {
          rpId,
          userId: userHandleOf(user.id),
          credentialIds: own.filter((one) => one.rpId === rpId).map(({ passkeyId }) => passkeyId),
          ...passkeyNamesOf(user)
        }
      })

      const parseName = Effect.fnUntraced(function* (input: string) {
        const name = nonBlank(input)?.trim() ?? null
        if (name !== null && !isStorable(name)) return yield* rejection("passkey_name", "invalid")
        if (name !== null && !isWithin(TEXT_LENGTH, name)) {
          return yield* rejection("passkey_name", "too_long", { maximum: TEXT_LENGTH })
        }
        return name
      })

      const begin = Effect.fn("AccountPasskeys.begin")(function* (visitor: LoggedInVisitor, origin: string) {
        yield* proofs.requireRecent(visitor)
        return yield* enrolments.options(visitor.user, origin)
      })

      const add = Effect.fn("AccountPasskeys.add")(function* (
        visitor: LoggedInVisitor,
        { token, creation, name }: NewPasskey
      ) {
        yield* proofs.requireRecent(visitor)
        const { user, login } = visitor
        const enrolment = { token, creation, name: yield* parseName(name) }
        yield* enrolments.create(user, enrolment, browsers.requireLogin(login))
      })

      const rename = Effect.fn("AccountPasskeys.rename")(function* (user: User, id: string, input: string) {
        const { credential } = yield* credentials.get(id)
        const isOwn = credential.userId === user.id && credential.credentialType === "passkey"
        if (!isOwn) return yield* new CredentialNotFound({ id })
        yield* credentials
          .update(credential.id, { name: yield* parseName(input) })
          .pipe(Effect.catchTag("HashingBusy", Effect.die))
      })

      const remove = Effect.fn("AccountPasskeys.remove")(function* (visitor: LoggedInVisitor, id: string) {
        yield* proofs.requireRecent(visitor)
        yield* methods.remove(visitor.user, id, (type) => type === "passkey")
      })

      return AccountPasskeys.of({ isSupported, list, accepted, begin, add, rename, remove })
    })
  )
}
