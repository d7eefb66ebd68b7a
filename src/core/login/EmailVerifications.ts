import { Context, Effect, Layer } from "effect"
import type { EventType } from "#domain/Event"
import type { UserId } from "#domain/Ids"
import type { RateLimited } from "#domain/Limit"
import { TokenNotFound } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { displayName, type User, UserInactive, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import type { OneTimeToken } from "#store/OneTimeTokensRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** What the link of a mail proves. */
export type LinkProof = "mailed_confirmation" | "mailed_change"

/** A proof as it is before it is taken: the address, and whose it is or is to be. */
export interface SeenProof {
  readonly email: string
  readonly user: User
  readonly proof: LinkProof
}

const proofOf = ({ purpose }: OneTimeToken): LinkProof =>
  purpose === "email_change" ? "mailed_change" : "mailed_confirmation"

/** Proofs that an e-mail address is a user's own (`v2.email`, C14, C15, C25). */
export class EmailVerifications extends Context.Service<
  EmailVerifications,
  {
    /**
     * A token that proves the user's e-mail; where that is verified, the pending one. `user.email.verifying`, after
     * `user.updated` where it was not asked for before; `user.email.updating` for a pending one. `to`: as for any token; a
     * caller's is another one than the event carries.
     */
    request(
      userId: UserId,
      to: "mail" | "caller"
    ): Effect.Effect<string, UserNotFound | UserInactive | Rejected | RateLimited | RealmNotFound, CurrentRealm>
    /** What a token proves that went by mail alone, for who asks before it is used. Changes nothing. */
    look(token: string): Effect.Effect<SeenProof, TokenNotFound, CurrentRealm>
    /**
     * Takes a proof, of an active user. A pending address becomes the user's. `user.email.verified`. `admits` has the last
     * word, inside the transaction that holds the user's row; management callers, who can verify without any proof, need
     * none.
     */
    verify<E = never>(
      token: string,
      userId: UserId | undefined,
      admits?: (before: User, proof: LinkProof) => Effect.Effect<void, E, CurrentRealm>
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

      const request = Effect.fn("EmailVerifications.request")(function* (userId: UserId, to: "mail" | "caller") {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            if (user.userType === "api") return yield* rejected("email", "humans_only")
            if (user.state === "inactive") return yield* new UserInactive({ userId })
            const verified = user.emailVerification === "verified"
            if (verified && user.emailPending === null) return yield* rejected("email", "already_verified")
            const recipient = verified ? user.emailPending : user.email
            if (recipient !== null) yield* rateLimits.takeMail(recipient)
            const kind = verified ? "tue:" : "tve:"
            const { token, id } = yield* tokens.issue(kind, user, "mail")
            // The caller may give its token to anybody: the event, which is mailed, has another one.
            const answered = to === "mail" ? token : (yield* tokens.issue(kind, user, "caller")).token
            const events: Array<EventType> = []
            if (user.emailVerification === "none") {
              yield* users.update({ ...user, emailVerification: "requested" })
              events.push("user.updated")
            }
            yield* journal.record([
              ...events.map((eventType) => ({ eventType, userId })),
              { eventType: verified ? "user.email.updating" : "user.email.verifying", userId, tokenId: id }
            ])
            return answered
          })
        )
      })

      const look = Effect.fn("EmailVerifications.look")(function* (text: string) {
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
        admits: (before: User, proof: LinkProof) => Effect.Effect<void, E, CurrentRealm> = () => Effect.void
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
            yield* admits(before, proofOf(token))
            const promotes = token.purpose === "email_change"
            const after: User = promotes ? withEmail(before, token.email) : { ...before, emailVerification: "verified" }
            const taken = yield* users.update(after)
            if (taken !== undefined) return yield* rejected(taken, "taken")
            yield* tokens.revoke(
              after,
              promotes ? ["email_change", "email_verification", "password_reset"] : ["email_verification"]
            )
            yield* journal.record([{ eventType: "user.email.verified", userId: after.id }])
            return after
          })
        )
      })

      return EmailVerifications.of({ request, look, verify })
    })
  )
}

/** The proof is of one address: another one, or one that is no longer pending, is not proved by it. */
const isOfAddress = ({ purpose, email }: OneTimeToken, user: User): boolean =>
  email === (purpose === "email_change" ? user.emailPending : user.email)

/** A user whose pending address was proved. */
const withEmail = (user: User, email: string | null): User => {
  const after = { ...user, email, emailPending: null, emailVerification: "verified" as const }
  return { ...after, name: displayName(after) }
}
