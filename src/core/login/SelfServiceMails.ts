import { Cause, Context, Effect, FiberSet, Layer } from "effect"
import { LoginsOff } from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { UsersRepo } from "#store/UsersRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { Users } from "../users/Users.ts"
import { EmailVerifications } from "./EmailVerifications.ts"
import { PasswordResets } from "./PasswordResets.ts"

/**
 * Mails that a person asks for by a name alone (C28, SEC-15). Whoever asks is told nothing of whether anybody goes
 * by that name: nothing is looked up before the answer. When the service stops, it waits for what is under way.
 */
export class SelfServiceMails extends Context.Service<
  SelfServiceMails,
  {
    /** A mail with a link to set a new password, for an active human with an e-mail: `user.password_token.created`. */
    forgotPassword(name: string): Effect.Effect<void, LoginsOff, CurrentRealm>
    /** The same for a user whom the asker knows already; before the answer. */
    resetOf(user: User): Effect.Effect<void, never, CurrentRealm>
    /** Once more the mail that verifies an e-mail, for whom that is asked of: `user.email.verification_requested`. */
    resendVerification(name: string): Effect.Effect<void, LoginsOff, CurrentRealm>
  }
>()("sallyport/core/SelfServiceMails") {
  static readonly layer = Layer.effect(
    SelfServiceMails,
    Effect.gen(function* () {
      const users = yield* Users
      const repo = yield* UsersRepo
      const rateLimits = yield* RateLimits
      const providers = yield* AuthProvidersRepo
      const resets = yield* PasswordResets
      const verifications = yield* EmailVerifications
      const underWay = yield* FiberSet.make<void>()
      yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(underWay))

      /** The active human with an e-mail who goes by a name. */
      const known = Effect.fnUntraced(function* (name: string) {
        const realm = yield* CurrentRealm
        const passwords = yield* providers.stateOf(realm.id, "password")
        if (passwords?.state !== "active") return undefined
        const user = yield* repo.find(realm.id, yield* users.idOfLogin(name))
        return user?.userType === "human" && user.state === "active" ? user : undefined
      })

      /** Does it after the answer. That too many mails are asked for is not told either. */
      const later = (work: Effect.Effect<unknown, unknown, CurrentRealm>) =>
        Effect.asVoid(
          FiberSet.run(
            underWay,
            Effect.catchCause(Effect.asVoid(work), (cause) =>
              Cause.hasDies(cause) ? Effect.logError("a requested e-mail could not be created", cause) : Effect.void
            )
          )
        )

      const asked = Effect.fnUntraced(function* (
        name: string,
        work: (user: User & { readonly email: string }) => Effect.Effect<unknown, unknown, CurrentRealm>
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        yield* later(
          Effect.flatMap(known(name), (user) =>
            user === undefined || user.email === null ? Effect.void : work({ ...user, email: user.email })
          )
        )
      })

      const mailReset = ({ id, email }: Pick<User, "id"> & { readonly email: string }) =>
        rateLimits
          .takeMail(email)
          .pipe(Effect.andThen(rateLimits.takeVisitorMail), Effect.andThen(resets.request(id, "kpw_", true)))

      return SelfServiceMails.of({
        forgotPassword: Effect.fn("SelfServiceMails.forgotPassword")(function* (name: string) {
          yield* asked(name, mailReset)
        }),
        resetOf: ({ id, email }) => (email === null ? Effect.void : Effect.ignore(mailReset({ id, email }))),
        resendVerification: Effect.fn("SelfServiceMails.resendVerification")(function* (name: string) {
          yield* asked(name, ({ id, emailVerification }) =>
            emailVerification === "requested"
              ? Effect.andThen(rateLimits.takeVisitorMail, verifications.request(id, "mail"))
              : Effect.void
          )
        })
      })
    })
  )
}
