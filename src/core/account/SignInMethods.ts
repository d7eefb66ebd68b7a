import { Context, Effect, Layer } from "effect"
import { type CredentialDetails, CredentialNotFound, type CredentialType, isSocial } from "#domain/Credential"
import { removalProblem, type SignInMethod } from "#domain/LastSignInMethod"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { type OwnCredential, SignInMethodsRepo } from "#store/users/SignInMethodsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"
import { Credentials } from "../credentials/Credentials.ts"

/** A credential of a user, and the purposes for which it can currently be used. */
export interface OwnMethod extends OwnCredential, SignInMethod {
  readonly id: CredentialDetails["id"]
  /** Whether the user may remove the method. */
  readonly isRemovable: boolean
}

const isLoginMethod = (type: CredentialType): boolean => type === "password" || type === "passkey" || isSocial(type)

const isSecondFactor = (type: CredentialType): boolean => type === "totp" || type === "passkey"

/** `rpId` is the domain of the realm's passkeys. Passkeys of other domains are unusable. */
const methodOf = (credential: OwnCredential, rpId: string | undefined) => {
  const isUsable = credential.isUsable && (credential.rpId === null || credential.rpId === rpId)
  return {
    ...credential,
    isUsable,
    canStartLogin: isUsable && isLoginMethod(credential.credentialType),
    isSecondFactor: isUsable && isSecondFactor(credential.credentialType)
  }
}

/** Lets users view and remove their own sign-in methods (C151). */
export class SignInMethods extends Context.Service<
  SignInMethods,
  {
    /** All sign-in methods of a user, oldest first. */
    of(user: User): Effect.Effect<ReadonlyArray<OwnMethod>, never, CurrentRealm>
    /**
     * Removes one of the user's sign-in methods. Fails with `Rejected` (`last_way_in` or `last_second_factor`) if the user
     * needs the method to log in, even if others are removed concurrently (SEC-135). If `isOfType` returns false for the
     * method's type, fails with `CredentialNotFound`. Records `user.updated`.
     */
    remove(
      user: User,
      id: string,
      isOfType: (type: CredentialType) => boolean
    ): Effect.Effect<void, CredentialNotFound | Rejected | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/SignInMethods") {
  static readonly layer = Layer.effect(
    SignInMethods,
    Effect.gen(function* () {
      const repo = yield* SignInMethodsRepo
      const providers = yield* AuthProvidersRepo
      const users = yield* UsersRepo
      const relyingParties = yield* RelyingParties
      const credentials = yield* Credentials
      const transaction = yield* Transaction

      const rules = Effect.map(CurrentRealm, ({ mfa }) => ({ requiresMfa: mfa === "required" }))

      /**
       * Loads the user's sign-in methods, and a function that returns why a method can't be removed. If the realm supports
       * login codes by email, the user's mailbox counts as a method.
       */
      const load = Effect.fnUntraced(function* ({ realmId, id: userId, email }: User) {
        const credentials = yield* repo.ofUser(realmId, userId)
        const hasPasskey = credentials.some((one) => one.rpId !== null)
        const rpId = hasPasskey ? yield* relyingParties.rpId : undefined
        const own = credentials.map((one) => methodOf(one, rpId))
        const codes = email === null ? undefined : yield* providers.stateOf(realmId, "email_code")
        const mailbox =
          codes?.state === "active" ? [{ id: "email_code", canStartLogin: true, isSecondFactor: false }] : []
        const currentRules = yield* rules
        return { own, problemOf: (id: string) => removalProblem([...own, ...mailbox], id, currentRules) }
      })

      const of = Effect.fn("SignInMethods.of")(function* (user: User) {
        const { own, problemOf } = yield* load(user)
        return own.map((method) => ({ ...method, isRemovable: problemOf(method.id) === undefined }))
      })

      const remove = Effect.fn("SignInMethods.remove")(function* (
        user: User,
        id: string,
        isOfType: (type: CredentialType) => boolean
      ) {
        yield* transaction.run(
          Effect.gen(function* () {
            // Changing a credential requires the lock on its user. With this lock, nothing read here can change before the
            // commit.
            const locked = yield* users.findForUpdate(user.realmId, user.id)
            if (locked === undefined) return yield* new CredentialNotFound({ id })
            const { own, problemOf } = yield* load(locked)
            const method = own.find((one) => one.id === id)
            if (method === undefined || !isOfType(method.credentialType)) return yield* new CredentialNotFound({ id })
            const why = problemOf(method.id)
            if (why !== undefined) return yield* rejection(null, why)
            yield* credentials.delete(method.id)
          })
        )
      })

      return SignInMethods.of({ of, remove })
    })
  )
}
