import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { RateLimited } from "#domain/Limit"
import { type LoggedIn, LoginsOff } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected } from "#domain/Rejected"
import { type RedirectRefused, type ReturnTarget, withLoginToken } from "#domain/ReturnUrl"
import { resolveSignupFlow, SignupClosed, type SignupForm, signupProblems } from "#domain/Signup"
import { usesUsernames } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { withApp } from "../apps/WithApp.ts"
import { Journal, type NewEvent } from "../events/Journal.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { LoginCompletion } from "../login/LoginCompletion.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { NewUsers } from "../provisioning/NewUsers.ts"
import { OrgSignup } from "../provisioning/OrgSignup.ts"
import { SignupTokens } from "../signup/SignupTokens.ts"
import { PasswordLoginFlow } from "./PasswordLoginFlow.ts"

/** The outcome of a signup: a login, a signup token for the app, or a mail that was sent to verify the e-mail first. */
export type SignupOutcome =
  | LoggedIn
  | { readonly _tag: "SignupToken"; readonly token: string; readonly returnUrl: string | null }
  | { readonly _tag: "VerificationSent"; readonly email: string }

type Failure = RedirectRefused | Rejected | HashingBusy | LoginsOff | SignupClosed | RealmNotFound | RateLimited

/** A request that is there already. */
class AlreadyAsked extends Data.TaggedError("AlreadyAsked") {}

/** Signing up by oneself, on the host of an app (`v1.hosted`, C40a, C41). */
export class Signups extends Context.Service<
  Signups,
  {
    /**
     * By the app's `signup_mode` and the realm's settings. `user`, `user_org`: `user.created` and what its verification
     * adds, `org.created` and `membership.created` with an org, `user.login.succeeded`. `user_token`: no event. Where
     * e-mails are proved first: `invitation.preverify.created` and `.invited`, whoever has the e-mail already.
     */
    signUp(app: ConnectedApp, form: SignupForm, way: ReturnTarget): Effect.Effect<SignupOutcome, Failure, CurrentRealm>
    /** What is demanded of the password of somebody new. */
    readonly demands: Effect.Effect<PasswordRequirements, never, CurrentRealm>
    /** Asks to be let in, where people are invited: `invitation.request.created`, once as long as one is there. */
    request(
      email: string
    ): Effect.Effect<void, Rejected | SignupClosed | LoginsOff | RealmNotFound | RateLimited, CurrentRealm>
  }
>()("sallyport/core/Signups") {
  static readonly layer = Layer.effect(
    Signups,
    Effect.gen(function* () {
      const hosted = yield* PasswordLoginFlow
      const rateLimits = yield* RateLimits
      const newPasswords = yield* NewPasswords
      const newUsers = yield* NewUsers
      const founding = yield* OrgSignup
      const completion = yield* LoginCompletion
      const tokens = yield* SignupTokens
      const invitations = yield* Invitations
      const invitationsRepo = yield* InvitationsRepo
      const providers = yield* AuthProvidersRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** The realm, while people can log in by password in it. */
      const open = Effect.gen(function* () {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const passwords = yield* providers.stateOf(realm.id, "password")
        if (passwords?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
        return realm
      })

      const invitationOf = (invitationType: "preverify" | "request", email: string | null) => ({
        invitationType,
        email,
        orgId: null,
        invitingUserId: null,
        authProviderId: null,
        locale: null
      })

      /** Where e-mails take the place of usernames, whatever was typed as the one is the other. */
      const named = Effect.fnUntraced(function* (form: SignupForm) {
        const { username, email } = form
        const isStandard = usesUsernames(yield* CurrentRealm, "human")
        return isStandard ? form : { ...form, username: undefined, email: email ?? username }
      })

      const preverify = Effect.fnUntraced(function* ({ email }: SignupForm) {
        // Whoever has the e-mail: too many are refused alike.
        yield* rateLimits.takeVisitorMail
        const sent = yield* transaction.run(
          Effect.gen(function* () {
            const made = yield* invitations.create(invitationOf("preverify", email ?? null))
            return yield* Effect.catchTag(invitations.invite(made.id, undefined), "InvitationNotFound", Effect.die)
          })
        )
        return { _tag: "VerificationSent" as const, email: sent.email }
      })

      const attributesOf = ({ username, email, firstName, lastName }: SignupForm) => ({
        ...(username === undefined ? {} : { username }),
        email: email ?? null,
        firstName: firstName ?? null,
        lastName: lastName ?? null
      })

      const makeUser = Effect.fnUntraced(function* (form: SignupForm, withOrg: boolean) {
        const realm = yield* CurrentRealm
        const draft = yield* newUsers.draft({
          userType: "human",
          usernameRequired: true,
          attributes: {
            ...attributesOf(form),
            emailVerification: realm.emailVerification === "none" ? "none" : "requested"
          },
          password: form.password ?? "",
          apiKey: undefined,
          credentials: undefined
        })
        const { user } = draft
        const org = withOrg ? yield* founding.draft(form.orgName ?? null, user) : undefined
        const grant = yield* transaction.run(
          Effect.gen(function* () {
            const happenings: Array<NewEvent> = [...(yield* newUsers.insert(draft))]
            if (org !== undefined) happenings.push(...(yield* founding.found(org, user)))
            yield* journal.record(happenings)
            return yield* Effect.catchTag(completion.startSession(user), "UserInactive", Effect.die)
          })
        )
        return yield* completion.logIn(grant, { memberships: false, orgId: undefined })
      })

      const signUp = Effect.fn("Signups.signUp")(function* (app: ConnectedApp, typed: SignupForm, back: ReturnTarget) {
        const realm = yield* open
        const { state } = back
        const way = resolveSignupFlow(realm, app)
        if (way === "none" || way === "request") return yield* new SignupClosed({ way })
        const place = yield* hosted.returnUrlOf(app, back, true)
        const form = yield* named(typed)
        if (way === "preverify") return yield* preverify(form)
        const problems = signupProblems(form, app)
        if (problems.length > 0) return yield* new Rejected({ problems })
        // As that of an e-mail that somebody has, so that being refused tells nothing.
        if (way !== "user_token" && realm.emailVerification !== "none") yield* rateLimits.takeVisitorMail
        if (way === "user_token") {
          const { token } = yield* tokens.create({ attributes: attributesOf(form), password: form.password })
          const returnUrl = place === null ? null : withLoginToken(place, token, { state })
          return { _tag: "SignupToken" as const, token, returnUrl }
        }
        const loggedIn = yield* makeUser(form, way === "user_org")
        const { token } = loggedIn.login
        return { ...loggedIn, returnUrl: place === null ? null : withLoginToken(place, token, { isNew: true, state }) }
      })

      const request = Effect.fn("Signups.request")(function* (email: string) {
        const realm = yield* open
        if (realm.signup !== "invitation") return yield* new SignupClosed({ way: "none" })
        yield* rateLimits.takeVisitorMail
        yield* transaction
          .run(
            Effect.gen(function* () {
              const asked = yield* invitations.create(invitationOf("request", email))
              const alike = yield* invitationsRepo.lockEquivalent(asked, [asked.email], yield* DateTime.now)
              // Nothing is kept or recorded of a second one: whoever asks is answered the same.
              if (alike.length > 1) return yield* new AlreadyAsked()
            })
          )
          .pipe(Effect.catchTag("AlreadyAsked", () => Effect.void))
      })

      return Signups.of({
        demands: newPasswords.requirements({ username: null, email: null, firstName: null, lastName: null }),
        signUp: withApp(signUp),
        request
      })
    })
  )
}
