import { Context, Effect, Layer } from "effect"
import { isSubscribed } from "#domain/AppHook"
import type { UserId } from "#domain/Ids"
import type { RateLimited } from "#domain/Limit"
import { LoginsOff } from "#domain/Login"
import { isEmailVerified } from "#domain/ProvedEmail"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { SentMail } from "#domain/SentMail"
import { UserInactive, UserNotFound } from "#domain/User"
import { Mailer } from "#platform/Mailer"
import { Transaction } from "#platform/Transaction"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { EmailVerifications } from "./EmailVerifications.ts"
import { PasswordResets } from "./PasswordResets.ts"

type Failure = UserNotFound | UserInactive | Rejected | RateLimited | RealmNotFound

/**
 * Sends users emails with links when an operator asks for it. Only the mailbox gets the token of the link, so the operator
 * can't use it (C296).
 */
export class OperatorMails extends Context.Service<
  OperatorMails,
  {
    /** Emails a link to set a new password. Records `user.password.resetting`. */
    sendPasswordReset(userId: UserId): Effect.Effect<SentMail, Failure | LoginsOff, CurrentRealm>
    /**
     * Emails a link that verifies the user's email or, if that is verified, the pending email. Records the events of
     * `EmailVerifications.request`.
     */
    sendVerification(userId: UserId): Effect.Effect<SentMail, Failure, CurrentRealm>
  }
>()("sallyport/core/OperatorMails") {
  static readonly layer = Layer.effect(
    OperatorMails,
    Effect.gen(function* () {
      const mailer = yield* Mailer
      const hooks = yield* AppHooksRepo
      const providers = yield* AuthProvidersRepo
      const users = yield* UsersRepo
      const rateLimits = yield* RateLimits
      const resets = yield* PasswordResets
      const verifications = yield* EmailVerifications
      const transaction = yield* Transaction

      const findUser = Effect.fnUntraced(function* (userId: UserId) {
        const user = yield* users.findForUpdate((yield* CurrentRealm).id, userId)
        if (user === undefined) return yield* new UserNotFound({ id: userId })
        if (user.userType === "api") return yield* rejection("email", "humans_only")
        if (user.state === "inactive") return yield* new UserInactive({ userId })
        return user
      })

      /** Returns how the email for an event will be delivered. Fails if nothing would deliver it. */
      const requireDelivery = Effect.fnUntraced(function* (
        eventType: "user.password.resetting" | "user.email.verifying" | "user.email.updating"
      ): Effect.fn.Return<SentMail["delivery"], Rejected, CurrentRealm> {
        const active = yield* hooks.activeFor((yield* CurrentRealm).id, eventType)
        const receivers = active.filter((hook) => isSubscribed(hook, { eventType, isMailed: true }))
        if (receivers.some(({ hookType }) => hookType === "email")) {
          const { destination = "server" } = mailer
          return destination === "none" ? yield* rejection("email", "no_mail_server") : destination
        }
        return receivers.length === 0 ? yield* rejection("email", "no_mail_template") : "webhook"
      })

      const sendPasswordReset = Effect.fn("OperatorMails.sendPasswordReset")(function* (userId: UserId) {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const { email } = yield* findUser(userId)
            if (email === null) return yield* rejection("email", "no_email")
            const provider = yield* providers.stateOf(realm.id, "password")
            if (provider?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
            const delivery = yield* requireDelivery("user.password.resetting")
            yield* rateLimits.takeMail(email)
            yield* resets.request(userId, "tpw:", "mail")
            return { email, delivery }
          })
        )
      })

      const sendVerification = Effect.fn("OperatorMails.sendVerification")(function* (userId: UserId) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* findUser(userId)
            const isChange = isEmailVerified(user)
            if (isChange && user.emailPending === null) return yield* rejection("email", "already_verified")
            const email = isChange ? user.emailPending : user.email
            if (email === null) return yield* rejection("email", "no_email")
            const delivery = yield* requireDelivery(isChange ? "user.email.updating" : "user.email.verifying")
            yield* verifications.request(userId, "mail")
            return { email, delivery }
          })
        )
      })

      return OperatorMails.of({ sendPasswordReset, sendVerification })
    })
  )
}
