import { Context, DateTime, Effect, Layer } from "effect"
import { noticeOf } from "#domain/AccountNotice"
import { identifyUser } from "#domain/EventActor"
import { changedByCredential } from "#domain/EventChanges"
import { type Blocked, type Enrolment, TokenNotFound, WrongCode } from "#domain/Login"
import { methodsOf } from "#domain/Passkey"
import type { CreationOptions, PasskeyOptions } from "#domain/PasskeyOptions"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { type CreatedPasskey, canCompleteLogin, includesPasskey, secondFactorsAfter } from "#domain/SecondFactor"
import type { User } from "#domain/User"
import type { OneTimeToken } from "#store/login/OneTimeTokensRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { PasskeyEnrolments } from "../credentials/PasskeyEnrolments.ts"
import { SecondFactors } from "../credentials/SecondFactors.ts"
import { Journal } from "../events/Journal.ts"
import { loginFailed } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { matchingStep } from "../tokens/Totp.ts"
import { enrolmentOf } from "../tokens/TotpSetup.ts"
import { LoginCompletion, type PendingKind, type SessionGrant } from "./LoginCompletion.ts"

/** The name of an authenticator app that was set up during a login. Other devices are named by their owners. */
const DEVICE_NAME = "Authenticator app"

/** The second factor that completes a login: the first code of a new authenticator app, or a new passkey. */
export interface FirstFactor {
  readonly pending: OneTimeToken
  readonly user: User
  readonly shown: string | CreatedPasskey
}

type Failure = TokenNotFound | WrongCode | Blocked | Rejected | RealmNotFound

/**
 * Sets up second factors during a login, which they complete (C147, SEC-131). Until then, the secret is stored only with the
 * login's token and belongs to no user.
 */
export class Enrolments extends Context.Service<
  Enrolments,
  {
    /**
     * Returns the second factor that a pending login sets up. Returns undefined if it sets up none, or if its token is
     * invalid.
     */
    findEnrolment(kind: PendingKind, token: string): Effect.Effect<Enrolment | undefined, never, CurrentRealm>
    /**
     * Creates a challenge for a new passkey, which can be set up instead of the app. `origin` is the origin of the page. The
     * default is the login host of the realm's oldest app. Returns undefined if the login sets up no second factor, or if it
     * began with a passkey, so that a passkey can't be its second factor. Fails with the same rejections as
     * `PasskeyEnrolments.options`.
     */
    passkeyOptions(
      kind: PendingKind,
      token: string,
      origin: string | undefined
    ): Effect.Effect<PasskeyOptions<CreationOptions> | undefined, Rejected, CurrentRealm>
    /**
     * Sets up the app if its code is right, or the passkey, and starts the session. Fails if the user has set up a second
     * factor in the meantime. Records `user.updated` and `user.login.succeeded`, or `user.login.failed` if the code is wrong.
     */
    complete(first: FirstFactor): Effect.Effect<SessionGrant, Failure, CurrentRealm>
  }
>()("sallyport/core/Enrolments") {
  static readonly layer = Layer.effect(
    Enrolments,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const credentials = yield* CredentialsRepo
      const secondFactors = yield* SecondFactors
      const newCredentials = yield* NewCredentials
      const passkeys = yield* PasskeyEnrolments
      const tokens = yield* OneTimeTokens
      const attempts = yield* LoginAttempts
      const completion = yield* LoginCompletion
      const journal = yield* Journal
      const locks = yield* AccountLocks

      const secretOf = ({ realmId, id, secret }: OneTimeToken) =>
        secret === null ? Effect.succeed(null) : tokens.decrypt(realmId, id, secret)

      const findEnrolment = Effect.fn("Enrolments.look")(
        function* (kind: PendingKind, token: string) {
          const realm = yield* CurrentRealm
          const pending = yield* tokens.findLive([kind], token)
          const secret = yield* secretOf(pending)
          const user = secret === null ? undefined : yield* users.find(realm.id, pending.userId)
          return secret === null || user === undefined ? undefined : enrolmentOf(secret, realm, user)
        },
        Effect.catchTag("TokenNotFound", () => Effect.succeed(undefined))
      )

      const passkeyOptions = Effect.fn("Enrolments.passkeyOptions")(
        function* (kind: PendingKind, token: string, origin: string | undefined) {
          const { realmId, userId, secret, methods } = yield* tokens.findLive([kind], token)
          const user = secret === null || includesPasskey(methods) ? undefined : yield* users.find(realmId, userId)
          return user === undefined ? undefined : yield* passkeys.options(user, origin)
        },
        Effect.catchTag("TokenNotFound", () => Effect.succeed(undefined))
      )

      /** Locks the user. Fails if the user has set up a second factor in the meantime. */
      const begin = Effect.fnUntraced(function* (pending: OneTimeToken) {
        const { realmId, userId, methods } = pending
        const locked = yield* users.findForUpdate(realmId, userId)
        const factors = secondFactorsAfter(methods, yield* secondFactors.ofUser(userId))
        return locked === undefined || canCompleteLogin(factors) ? yield* new TokenNotFound() : locked
      })

      const completeByPasskey = Effect.fnUntraced(function* (
        pending: OneTimeToken,
        user: User,
        { token, creation }: CreatedPasskey
      ) {
        if (includesPasskey(pending.methods)) return yield* new TokenNotFound()
        const registered = yield* passkeys.read(user, { token, creation, name: null })
        const inTransaction = Effect.gen(function* () {
          const locked = yield* begin(pending)
          yield* tokens.consume(pending)
          yield* identifyUser(user.id)
          yield* passkeys.add(locked, registered, null)
          const shown = methodsOf({ isSynced: registered.backupEligible, isUserVerified: registered.userVerified })
          return yield* completion.addFactor(locked, pending, shown)
        })
        return yield* locks.transact(user.id, inTransaction)
      })

      const completeByCode = Effect.fnUntraced(function* (pending: OneTimeToken, user: User, code: string) {
        const { realmId, userId } = pending
        const secret = yield* secretOf(pending)
        if (secret === null) return yield* new TokenNotFound()
        const draft = yield* newCredentials
          .draft({ credentialType: "totp", name: DEVICE_NAME }, user)
          .pipe(Effect.catchTag("HashingBusy", Effect.die))
        const attributes = { ...draft.attributes, secret, state: "active" as const }
        const attempt = yield* attempts.count(user, "code")
        const step = matchingStep(secret, code, yield* DateTime.now)
        const inTransaction = Effect.gen(function* () {
          const locked = yield* begin(pending)
          if (step === undefined) {
            const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId }] : []
            yield* journal.record([loginFailed(userId, "wrong_code"), ...blocked])
            return undefined
          }
          yield* tokens.consume(pending)
          yield* identifyUser(userId)
          yield* attempt.onSuccess
          const { credential } = yield* newCredentials.add(locked, { ...draft, attributes })
          yield* credentials.acceptStep(realmId, credential.id, step)
          const changed = changedByCredential("totp", locked)
          const notice = noticeOf("totp", "added")
          yield* journal.record([{ eventType: "user.updated", userId, changed, notice }])
          return yield* completion.addFactor(locked, pending, ["otp"])
        })
        return (yield* locks.transact(userId, inTransaction)) ?? (yield* new WrongCode())
      })

      const complete = Effect.fn("Enrolments.complete")(
        function* ({ pending, user, shown }: FirstFactor) {
          return typeof shown === "string"
            ? yield* completeByCode(pending, user, shown)
            : yield* completeByPasskey(pending, user, shown)
        },
        Effect.catchTag(["UserInactive", "UserNotFound"], () => Effect.fail(new TokenNotFound()))
      )

      return Enrolments.of({ findEnrolment, passkeyOptions, complete })
    })
  )
}
