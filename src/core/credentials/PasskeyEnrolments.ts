import { Context, Effect, Layer } from "effect"
import { noticeOf } from "#domain/AccountNotice"
import { deviceNameOf } from "#domain/BrowserName"
import { type CredentialDetails, MAX_CREDENTIALS_PER_TYPE } from "#domain/Credential"
import { RequestOrigin } from "#domain/Event"
import { changedByCredential } from "#domain/EventChanges"
import { rejectIfAny } from "#domain/KnownProblems"
import { TokenNotFound } from "#domain/Login"
import { PageOrigin } from "#domain/PageOrigin"
import type { Passkey, PasskeyCreation } from "#domain/Passkey"
import { passkeyModelOf } from "#domain/PasskeyModels"
import { type CreationOptions, creationOptions, descriptorOf, type PasskeyOptions } from "#domain/PasskeyOptions"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"
import { Journal } from "../events/Journal.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { PasskeyChallenges } from "../tokens/PasskeyChallenges.ts"
import { PasskeyResponses, type RegisteredPasskey } from "./PasskeyResponses.ts"

/** The response of an authenticator that created a passkey. */
export interface PasskeyEnrolment {
  readonly token: string
  /** The passkey's data, or undefined if the caller sent none. */
  readonly creation: PasskeyCreation | undefined
  readonly name: string | null
}

/** A passkey with its credential. */
export interface EnrolledPasskey {
  readonly credential: CredentialDetails
  readonly passkey: Passkey
}

/** Registers users' passkeys (C50). */
export class PasskeyEnrolments extends Context.Service<
  PasskeyEnrolments,
  {
    /**
     * Begins a registration on a page with this origin or, if undefined, on the login host of the realm's oldest app. Records
     * nothing. Rejects users who already have the maximum number of passkeys.
     */
    options(
      user: User,
      origin: string | undefined
    ): Effect.Effect<PasskeyOptions<CreationOptions>, Rejected, CurrentRealm>
    /** Verifies the response to a registration that was begun for this user. Must not be called inside a transaction. */
    read(user: User, enrolment: PasskeyEnrolment): Effect.Effect<RegisteredPasskey, Rejected, CurrentRealm>
    /**
     * Adds a passkey to a user. Without a name, it is named after its device if it is created on a hosted page and its provider
     * is not well known (C295). Call it inside the transaction that locks the user's row. Records `user.updated`.
     */
    add(
      user: User,
      registered: RegisteredPasskey,
      name: string | null
    ): Effect.Effect<EnrolledPasskey, Rejected | RealmNotFound, CurrentRealm>
    /**
     * Finishes a registration that was begun for this user. `guard` runs before any change, once the user's row is locked.
     * Records `user.updated`.
     */
    create<E = never, R = never>(
      user: User,
      enrolment: PasskeyEnrolment,
      guard?: Effect.Effect<void, E, R>
    ): Effect.Effect<EnrolledPasskey, E | Rejected | RealmNotFound, R | CurrentRealm>
    /** A user's passkeys, oldest first, with the names of their credentials. */
    ofUser(user: User): Effect.Effect<ReadonlyArray<Passkey>>
  }
>()("sallyport/core/PasskeyEnrolments") {
  static readonly layer = Layer.effect(
    PasskeyEnrolments,
    Effect.gen(function* () {
      const providers = yield* AuthProvidersRepo
      const relyingParties = yield* RelyingParties
      const challenges = yield* PasskeyChallenges
      const answers = yield* PasskeyResponses
      const passkeys = yield* PasskeysRepo
      const users = yield* UsersRepo
      const newCredentials = yield* NewCredentials
      const journal = yield* Journal
      const transaction = yield* Transaction

      const rulesFor = Effect.fnUntraced(function* (user: User) {
        if (user.userType !== "human") return yield* rejection("credential_type", "for_humans", { type: "passkey" })
        const rules = yield* providers.passkeyRules(user.realmId)
        return rules ?? (yield* rejection("credential_type", "provider_inactive"))
      })

      const options = Effect.fn("PasskeyEnrolments.options")(function* (user: User, origin: string | undefined) {
        const realm = yield* CurrentRealm
        const rules = yield* rulesFor(user)
        const place = yield* relyingParties.place(origin)
        const existing = yield* passkeys.ofUser(realm.id, user.id)
        if (existing.length >= MAX_CREDENTIALS_PER_TYPE) {
          const params = { type: "passkey", most: MAX_CREDENTIALS_PER_TYPE }
          return yield* rejection("credential_type", "too_many_credentials", params)
        }
        const issued = yield* challenges.issue({ ...place, ceremony: "creation", userId: user.id })
        return {
          token: issued.token,
          options: creationOptions(issued, realm.name, user, rules, existing.map(descriptorOf))
        }
      })

      const read = Effect.fn("PasskeyEnrolments.read")(function* (user: User, { token, creation }: PasskeyEnrolment) {
        const rules = yield* rulesFor(user)
        if (creation === undefined) return yield* rejection("response", "blank")
        const accepted = Effect.gen(function* () {
          const challenge = yield* challenges.find("creation", token)
          const isOwn = challenge.userId === user.id
          // After a rejected response, the user can retry with the same challenge (C131).
          const registered = isOwn ? yield* answers.readCreation(creation, challenge, rules) : undefined
          yield* challenges.take("creation", token)
          return registered ?? (yield* new TokenNotFound())
        })
        return yield* Effect.catchTags(accepted, {
          TokenNotFound: () => Effect.fail(rejection("token", "token_unusable")),
          AnswerRefused: ({ why }) => Effect.fail(rejection("response", why))
        })
      })

      /** Names a passkey after the device whose browser creates it on a hosted page, unless its provider is well known. */
      const defaultName = Effect.fnUntraced(function* ({ aaguid }: RegisteredPasskey) {
        const isOnPage = (yield* PageOrigin) !== undefined
        return isOnPage && passkeyModelOf(aaguid) === undefined ? deviceNameOf((yield* RequestOrigin).client) : null
      })

      const add = Effect.fnUntraced(function* (user: User, created: RegisteredPasskey, name: string | null) {
        const { userVerified: _, ...registered } = created
        const attributes = {
          credentialType: "passkey" as const,
          name: nonBlank(name) ?? (yield* defaultName(created)),
          state: null,
          authProviderId: null,
          secret: null,
          providerUserId: null,
          tokenExpiresAt: null,
          codesLeft: null
        }
        const { credential } = yield* newCredentials.add(user, { attributes, passwordHash: null, apiKey: null })
        const passkey = { ...registered, id: credential.id, realmId: credential.realmId, lastUsedAt: null }
        if (!(yield* passkeys.insert(passkey))) return yield* rejection("response", "passkey_taken")
        const changed = changedByCredential("passkey", user)
        const notice = noticeOf("passkey", "added")
        yield* journal.record([{ eventType: "user.updated", userId: user.id, changed, notice }])
        return { credential, passkey }
      })

      const create = Effect.fn("PasskeyEnrolments.create")(function* <E = never, R = never>(
        owner: User,
        enrolment: PasskeyEnrolment,
        guard?: Effect.Effect<void, E, R>
      ) {
        yield* rejectIfAny([])
        const registered = yield* read(owner, enrolment)
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(owner.realmId, owner.id)
            if (user === undefined) return yield* rejection("user_id", "unknown")
            if (guard !== undefined) yield* guard
            return yield* add(user, registered, enrolment.name)
          })
        )
      })

      return PasskeyEnrolments.of({
        options,
        read,
        add,
        create,
        ofUser: ({ realmId, id }) => passkeys.ofUser(realmId, id)
      })
    })
  )
}
