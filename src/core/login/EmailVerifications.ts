import { Context, Effect, Layer } from "effect"
import { isSameEmail } from "#domain/Email"
import { identifyUser } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import type { RateLimited } from "#domain/Limit"
import { TokenNotFound } from "#domain/Login"
import { isEmailVerified, withProvedEmail } from "#domain/ProvedEmail"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { displayName, type User, UserInactive, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import type { OneTimeToken } from "#store/login/OneTimeTokensRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** The email that an emailed link proves: the user's current email, or the pending one. */
export type LinkProof = "mailed_confirmation" | "mailed_change"

/** A proof that has not been used yet. `email` is the user's current or pending email. */
export interface PendingProof {
  readonly email: string
  readonly user: User
  readonly proof: LinkProof
}

const proofOf = ({ purpose }: OneTimeToken): LinkProof =>
  purpose === "email_change" ? "mailed_change" : "mailed_confirmation"

/** Verifies that users own their email addresses (`v2.email`, C14, C15, C25). */
export class EmailVerifications extends Context.Service<
  EmailVerifications,
  {
    /**
     * Issues a token that proves the user's email or, if that is verified, the pending email. `proof` selects one of the
     * two. Rejected if the email is already verified and none is pending. `to` is the receiver of the returned token. A
     * token for the caller differs from the token in the event.
     *
     * For the user's email, records `user.email.verifying`, after `user.updated` if no verification was requested before.
     * For a pending email, records `user.email.updating`.
     */
    request(
      userId: UserId,
      to: "mail" | "caller",
      proof?: LinkProof
    ): Effect.Effect<string, UserNotFound | UserInactive | Rejected | RateLimited | RealmNotFound, CurrentRealm>
    /** Returns the proof that a token provides, if the token was only sent by email. Changes nothing. */
    preview(token: string): Effect.Effect<PendingProof, TokenNotFound, CurrentRealm>
    /**
     * Uses up a token and verifies the email of an active user. A pending email becomes the user's email. Records
     * `user.email.verified`. `authorize` can reject the verification, inside the transaction that locks the user's row.
     * Management calls omit it, because they may verify an email without proof.
     */
    verify<E = never>(
      token: string,
      userId: UserId | undefined,
      authorize?: (before: User, proof: LinkProof) => Effect.Effect<void, E, CurrentRealm>
    ): Effect.Effect<User, E | TokenNotFound | Rejected | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/EmailVerifications") {
  static readonly layer = Layer.effect(
    EmailVerifications,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const rateLimits = yield* RateLimits
      const tokens = yield* OneTimeTokens
      const journal = yield* Journal
      const transaction = yield* Transaction

      const request = Effect.fn("EmailVerifications.request")(function* (
        userId: UserId,
        to: "mail" | "caller",
        proof?: LinkProof
      ) {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            if (user.userType === "api") return yield* rejection("email", "humans_only")
            if (user.state === "inactive") return yield* new UserInactive({ userId })
            const verified = isEmailVerified(user)
            const isChange = proof === undefined ? verified : proof === "mailed_change"
            const isNeeded = isChange ? user.emailPending !== null : !verified
            if (!isNeeded) return yield* rejection("email", "already_verified")
            const recipient = isChange ? user.emailPending : user.email
            if (recipient !== null) yield* rateLimits.takeMail(recipient)
            const kind = isChange ? "tue:" : "tve:"
            const { token, id } = yield* tokens.issue(kind, user, "mail")
            // The caller may share its token with anyone, so a different token is emailed.
            const returnedToken = to === "mail" ? token : (yield* tokens.issue(kind, user, "caller")).token
            const events: Array<NewEvent> = []
            if (!isChange && user.emailVerification !== "requested") {
              yield* users.update({ ...user, emailVerification: "requested" })
              events.push({ eventType: "user.updated", userId, changed: ["email_verification"] })
            }
            yield* journal.record([
              ...events,
              { eventType: isChange ? "user.email.updating" : "user.email.verifying", userId, tokenId: id }
            ])
            return returnedToken
          })
        )
      })

      const preview = Effect.fn("EmailVerifications.preview")(function* (text: string) {
        const realm = yield* CurrentRealm
        const token = yield* tokens.findLive(["tve:", "tue:"], text)
        if (!token.mailed) return yield* new TokenNotFound()
        const user = yield* users.find(realm.id, token.userId)
        if (user?.state !== "active" || !isOfAddress(token, user)) return yield* new TokenNotFound()
        const { email } = token
        return email === null ? yield* new TokenNotFound() : { email, user, proof: proofOf(token) }
      })

      const verify = Effect.fn("EmailVerifications.verify")(function* <E = never>(
        text: string,
        userId: UserId | undefined,
        authorize: (before: User, proof: LinkProof) => Effect.Effect<void, E, CurrentRealm> = () => Effect.void
      ) {
        const realm = yield* CurrentRealm
        const token = yield* tokens.findLive(["tve:", "tue:"], text)
        if (userId !== undefined && userId !== token.userId) return yield* new TokenNotFound()
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* users.findForUpdate(realm.id, token.userId)
            if (before?.state !== "active") return yield* new TokenNotFound()
            yield* tokens.consume(token)
            if (!isOfAddress(token, before)) return yield* new TokenNotFound()
            yield* authorize(before, proofOf(token))
            yield* identifyUser(before.id)
            const isChange = token.purpose === "email_change"
            const after: User = isChange ? withEmail(before, token.email) : withProvedEmail(before)
            const conflict = yield* users.update(after)
            if (conflict !== undefined) return yield* rejection(conflict, "taken")
            yield* tokens.revoke(
              after,
              isChange ? ["email_change", "email_verification", "password_reset"] : ["email_verification"]
            )
            yield* journal.record([{ eventType: "user.email.verified", userId: after.id }])
            return after
          })
        )
      })

      return EmailVerifications.of({ request, preview, verify })
    })
  )
}

/** Returns whether the email that a token proves is still the user's email, or still pending. */
const isOfAddress = ({ purpose, email }: OneTimeToken, user: User): boolean =>
  isSameEmail(email, purpose === "email_change" ? user.emailPending : user.email)

/** Returns the user with the given email, now verified. */
const withEmail = (user: User, email: string | null): User => {
  const after = withProvedEmail({ ...user, email, emailPending: null })
  return { ...after, name: displayName(after) }
}
