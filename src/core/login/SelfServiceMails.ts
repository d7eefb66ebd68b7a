import { Cause, Context, Effect, FiberSet, Layer } from "effect"
import { LoginsOff } from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { DatabaseOutage } from "../nodes/DatabaseOutage.ts"
import { Users } from "../users/Users.ts"
import { EmailCodes } from "./EmailCodes.ts"
import { EmailVerifications } from "./EmailVerifications.ts"
import { PasswordResets } from "./PasswordResets.ts"

/**
 * Sends emails that anyone can request by entering an email or username (C28, SEC-15). The user is looked up after the
 * response is sent, so the response doesn't reveal whether the user exists. On shutdown, the service waits for emails in
 * progress.
 */
export class SelfServiceMails extends Context.Service<
  SelfServiceMails,
  {
    /** Emails a password reset link to an active human who has an email. Records `user.password_token.created`. */
    forgotPassword(name: string): Effect.Effect<void, LoginsOff, CurrentRealm>
    /**
     * Emails a login code to an active human who has an email. Returns the token to use with the code, even if no such user
     * exists. Records `user.email_code.requested`.
     */
    loginCode(name: string): Effect.Effect<string, LoginsOff, CurrentRealm>
    /** Emails a password reset link to a user who was already found. Completes before the response is sent. */
    resetOf(user: User): Effect.Effect<void, never, CurrentRealm>
    /** Emails the verification link again, if verification was requested. Records `user.email.verification_requested`. */
    resendVerification(name: string): Effect.Effect<void, LoginsOff, CurrentRealm>
  }
>()("sallyport/core/SelfServiceMails") {
  static readonly layer = Layer.effect(
    SelfServiceMails,
    Effect.gen(function* () {
      const users = yield* Users
      const repo = yield* UsersRepo
      const outage = yield* DatabaseOutage
      const rateLimits = yield* RateLimits
      const providers = yield* AuthProvidersRepo
      const resets = yield* PasswordResets
      const verifications = yield* EmailVerifications
      const emailCodes = yield* EmailCodes
      const fibers = yield* FiberSet.make<void>()
      yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(fibers))

      /**
       * Finds the active human with this email or username. Returns undefined if the realm doesn't have the provider that the
       * email is for.
       */
      const findUser = Effect.fnUntraced(function* (name: string, purpose: "password" | "email_code") {
        const realm = yield* CurrentRealm
        const provider = yield* providers.stateOf(realm.id, purpose)
        if (provider?.state !== "active") return undefined
        const user = yield* repo.find(realm.id, yield* users.idOfLogin(name))
        return user?.userType === "human" && user.state === "active" ? user : undefined
      })

      const logFault = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
        if (yield* outage.reportCause(cause)) return
        yield* Effect.logError("An email requested by a user could not be created.", cause)
      })

      /** Runs work after the response, so that the response doesn't reveal an exceeded rate limit either. */
      const runInBackground = (work: Effect.Effect<unknown, unknown, CurrentRealm>) =>
        Effect.asVoid(
          FiberSet.run(
            fibers,
            Effect.catchCause(Effect.asVoid(work), (cause) => (Cause.hasDies(cause) ? logFault(cause) : Effect.void))
          )
        )

      const mailUser = Effect.fnUntraced(function* (
        name: string,
        work: (user: User & { readonly email: string }) => Effect.Effect<unknown, unknown, CurrentRealm>,
        purpose: "password" | "email_code" = "password"
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        yield* runInBackground(
          Effect.flatMap(findUser(name, purpose), (user) =>
            user === undefined || user.email === null ? Effect.void : work({ ...user, email: user.email })
          )
        )
      })

      const mailReset = ({ id, email }: Pick<User, "id"> & { readonly email: string }) =>
        rateLimits
          .takeMail(email)
          .pipe(Effect.andThen(rateLimits.takeVisitorMail), Effect.andThen(resets.request(id, "kpw_", "mail")))

      return SelfServiceMails.of({
        forgotPassword: Effect.fn("SelfServiceMails.forgotPassword")(function* (name: string) {
          yield* mailUser(name, mailReset)
        }),
        loginCode: Effect.fn("SelfServiceMails.loginCode")(function* (name: string) {
          if (!(yield* emailCodes.isEnabled)) return yield* new LoginsOff({ why: "provider_inactive" })
          const callerToken = yield* emailCodes.generateToken
          const send = ({ id }: User) =>
            Effect.andThen(rateLimits.takeVisitorMail, emailCodes.send(id, { callerToken }))
          yield* mailUser(name, send, "email_code")
          return callerToken
        }),
        resetOf: ({ id, email }) => (email === null ? Effect.void : Effect.ignore(mailReset({ id, email }))),
        resendVerification: Effect.fn("SelfServiceMails.resendVerification")(function* (name: string) {
          yield* mailUser(name, ({ id, emailVerification }) =>
            emailVerification === "requested"
              ? Effect.andThen(rateLimits.takeVisitorMail, verifications.request(id, "mail"))
              : Effect.void
          )
        })
      })
    })
  )
}
