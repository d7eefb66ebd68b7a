import { Context, DateTime, Effect, Layer } from "effect"
import { LoginsOff, type TokenNotFound } from "#domain/Login"
import { type PasskeyProof, PasskeyRefused, type PasskeyUse } from "#domain/Passkey"
import { descriptorOf, type PasskeyOptions, type RequestOptions, requestOptions } from "#domain/PasskeyOptions"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"
import { Journal } from "../events/Journal.ts"
import { loginFailed } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { LoginAttempts } from "../limits/LoginAttempts.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import { PasskeyChallenges } from "../tokens/PasskeyChallenges.ts"
import { PasskeyResponses } from "./PasskeyResponses.ts"

/** The response of a passkey to a challenge. */
export interface PresentedPasskey {
  readonly token: string
  readonly use: PasskeyUse
  /**
   * The required owner of the passkey, if the user is already known. The challenge must have been created for the same user.
   */
  readonly user: User | undefined
}

/** Verifies users' passkeys, for logins and for other proofs of identity (C50, C132). */
export class PasskeyAssertions extends Context.Service<
  PasskeyAssertions,
  {
    /**
     * Creates a challenge for a page with this origin or, if undefined, for the login host of the realm's oldest app. `user`
     * is the required owner of the passkey. If undefined, passkeys of all users are accepted, and the options are the same for
     * everyone.
     */
    options(
      origin: string | undefined,
      user: User | undefined
    ): Effect.Effect<PasskeyOptions<RequestOptions>, Rejected | LoginsOff, CurrentRealm>
    /**
     * If the response is right, records the use of the passkey and runs `onSuccess`, in one transaction. `onSuccess` receives
     * the owner as just read and locked. If the response is wrong, records `user.login.failed` for the owner, at most ten
     * times in 15 minutes. A wrong response never blocks the user, because a signature can't be guessed (SEC-145). Must not be
     * called inside a transaction.
     */
    redeem<A, E, R>(
      presented: PresentedPasskey,
      onSuccess: (owner: User, proof: PasskeyProof) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | PasskeyRefused | TokenNotFound | LoginsOff | RealmNotFound, R | CurrentRealm>
  }
>()("sallyport/core/PasskeyAssertions") {
  static readonly layer = Layer.effect(
    PasskeyAssertions,
    Effect.gen(function* () {
      const providers = yield* AuthProvidersRepo
      const relyingParties = yield* RelyingParties
      const challenges = yield* PasskeyChallenges
      const answers = yield* PasskeyResponses
      const passkeys = yield* PasskeysRepo
      const users = yield* UsersRepo
      const attempts = yield* LoginAttempts
      const locks = yield* AccountLocks
      const journal = yield* Journal
      const refusedLogins = yield* RejectedLogins

      const activeRules = Effect.gen(function* () {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        return (yield* providers.passkeyRules(realm.id)) ?? (yield* new LoginsOff({ why: "provider_inactive" }))
      })

      const options = Effect.fn("PasskeyAssertions.options")(function* (
        origin: string | undefined,
        user: User | undefined
      ) {
        const rules = yield* activeRules
        const place = yield* relyingParties.place(origin)
        const allowed = user === undefined ? [] : yield* passkeys.ofUser(user.realmId, user.id)
        const usable = allowed.filter(({ rpId }) => rpId === place.rpId)
        const issued = yield* challenges.issue({ ...place, ceremony: "login", userId: user?.id ?? null })
        return { token: issued.token, options: requestOptions(issued, rules, usable.map(descriptorOf)) }
      })

      /**
       * Records a rejected response. The number is limited, because anyone who knows a passkey's ID can send any number of
       * responses.
       */
      const recordFailure = (owner: User) =>
        attempts.count(owner, "passkey").pipe(
          Effect.andThen(locks.transact(owner.id, journal.record([loginFailed(owner.id, "wrong_passkey")]))),
          Effect.catchTag(["Blocked", "UserNotFound", "RealmNotFound"], () => Effect.void)
        )

      const ownerOf = Effect.fnUntraced(function* (id: string) {
        return (yield* passkeys.findOwned((yield* CurrentRealm).id, id))?.userId
      })

      const redeem = Effect.fn("PasskeyAssertions.redeem")(function* <A, E, R>(
        { token, use, user }: PresentedPasskey,
        onSuccess: (owner: User, proof: PasskeyProof) => Effect.Effect<A, E, R>
      ) {
        const rules = yield* refusedLogins.countMethodOff(
          activeRules,
          user === undefined ? ownerOf(use.id) : Effect.succeed(user.id)
        )
        const challenge = yield* challenges.take("login", token)
        const passkey = yield* passkeys.findOwned(challenge.realmId, use.id)
        const owner = passkey === undefined ? undefined : yield* users.find(passkey.realmId, passkey.userId)
        if (passkey === undefined || owner === undefined)
          return yield* new PasskeyRefused({ unknown: { passkeyId: use.id, rpId: challenge.rpId } })

        const isRightUser = [user?.id ?? null, challenge.userId].every((id) => id === null || id === owner.id)
        const isBound = user === undefined || challenge.userId === user.id
        const read = yield* Effect.option(answers.readUse(use, passkey, challenge, rules))
        const refused = Effect.andThen(recordFailure(owner), Effect.fail(new PasskeyRefused({})))
        if (read._tag === "None" || !isRightUser || !isBound) return yield* refused

        const at = yield* DateTime.now
        const { userVerified, ...used } = read.value
        const inTransaction = Effect.gen(function* () {
          const lockedOwner = yield* users.findForUpdate(owner.realmId, owner.id)
          if (lockedOwner?.state !== "active") return undefined
          if (yield* passkeys.use(passkey.realmId, passkey.id, { ...used, at })) {
            const proof = { credentialId: passkey.id, isUserVerified: userVerified, isSynced: passkey.backupEligible }
            return { result: yield* onSuccess(lockedOwner, proof) }
          }
          yield* Effect.logWarning("A passkey's sign counter went backwards: the passkey may have been cloned.", {
            realm_id: passkey.realmId,
            credential_id: passkey.id
          })
          return undefined
        })
        const redeemed = yield* locks.transact(owner.id, inTransaction)
        return redeemed === undefined ? yield* refused : redeemed.result
      })

      return PasskeyAssertions.of({ options, redeem })
    })
  )
}
