import { Context, Data, DateTime, Effect, Layer } from "effect"
import { type ConnectedApp, CurrentApp } from "#domain/ConnectedApp"
import { KnownProblems, rejectIfAny, withKnownProblems } from "#domain/KnownProblems"
import type { RateLimited } from "#domain/Limit"
import { type LoginOutcome, LoginsOff } from "#domain/Login"
import type { VerificationSent } from "#domain/NextStep"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { type RedirectRefused, type ReturnTarget, withLoginToken } from "#domain/ReturnUrl"
import {
  asksForUsername,
  extraFieldsOf,
  onlyAskedFields,
  resolveSignupFlow,
  SignupClosed,
  type SignupForm,
  signupProblems
} from "#domain/Signup"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { Transaction } from "#platform/Transaction"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { withApp } from "../apps/WithApp.ts"
import { Journal } from "../events/Journal.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { LoginCompletion } from "../login/LoginCompletion.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { NewUsers } from "../provisioning/NewUsers.ts"
import { OrgSignup } from "../provisioning/OrgSignup.ts"
import { SignupTokens } from "../provisioning/SignupTokens.ts"
import { PasswordLoginFlow } from "./PasswordLoginFlow.ts"

/** The outcome of a signup: a login, a signup token for the app, or an email that must be confirmed first. */
export type SignupOutcome =
  | LoginOutcome
  | VerificationSent
  | { readonly _tag: "SignupToken"; readonly token: string; readonly returnUrl: string | null }

/** The target to which a signup returns. */
export interface SignupTarget extends ReturnTarget {
  /** Whether the token names the new org as selected. */
  readonly selectsOnlyOrg?: boolean
}

type Failure = RedirectRefused | Rejected | HashingBusy | LoginsOff | SignupClosed | RealmNotFound | RateLimited

/** An equivalent invitation request already exists. */
class AlreadyRequested extends Data.TaggedError("AlreadyRequested") {}

/** Signs users up on the host of an app (`v1.hosted`, C40a, C41). */
export class Signups extends Context.Service<
  Signups,
  {
    /**
     * Signs a user up with the signup flow of the app or the realm. The events depend on the flow:
     *
     * - `user`, `user_org`: `user.created` and the events of the email; `org.created` and `membership.created` for an org;
     *   then `user.login.succeeded`, or `user.login.initiated` if a second factor is required.
     * - `user_token`: none.
     * - `preverify`: `invitation.preverify.created` and `.invited`, even if the email already belongs to a user.
     */
    signUp(
      app: ConnectedApp,
      form: SignupForm,
      target: SignupTarget
    ): Effect.Effect<SignupOutcome, Failure, CurrentRealm>
    /** The requirements for a new user's password. */
    readonly passwordRequirements: Effect.Effect<PasswordRequirements, never, CurrentRealm>
    /**
     * Requests an invitation, if users need one to sign up for the app. Records `invitation.request.created`, unless an
     * equivalent request is open.
     */
    request(
      app: ConnectedApp,
      email: string
    ): Effect.Effect<void, Rejected | SignupClosed | LoginsOff | RealmNotFound | RateLimited, CurrentRealm>
  }
>()("sallyport/core/Signups") {
  static readonly layer = Layer.effect(
    Signups,
    Effect.gen(function* () {
      const logins = yield* PasswordLoginFlow
      const rateLimits = yield* RateLimits
      const newPasswords = yield* NewPasswords
      const newUsers = yield* NewUsers
      const orgSignup = yield* OrgSignup
      const completion = yield* LoginCompletion
      const tokens = yield* SignupTokens
      const invitations = yield* Invitations
      const invitationsRepo = yield* InvitationsRepo
      const providers = yield* AuthProvidersRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** Returns the current realm. Fails if its users can't log in with a password. */
      const requireOpenRealm = Effect.gen(function* () {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const passwords = yield* providers.stateOf(realm.id, "password")
        if (passwords?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
        return realm
      })

      const createInvitation = Effect.fnUntraced(function* (
        invitationType: "preverify" | "request",
        email: string | null
      ) {
        const locale = yield* VisitorLanguage
        const appId = yield* CurrentApp
        const none = { orgId: null, invitingUserId: null, authProviderId: null }
        return yield* invitations.create({ ...none, invitationType, email, appId, locale })
      })

      const preverify = Effect.fnUntraced(function* ({ email }: SignupForm) {
        yield* rejectIfAny([])
        // The limit applies even if the email is taken. Otherwise an error would reveal that it isn't.
        yield* rateLimits.takeVisitorMail
        const sent = yield* transaction.run(
          Effect.gen(function* () {
            const created = yield* createInvitation("preverify", email ?? null)
            return yield* Effect.catchTag(invitations.invite(created.id, undefined), "InvitationNotFound", Effect.die)
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

      const createUser = Effect.fnUntraced(function* (form: SignupForm, withOrg: boolean, selectsOnlyOrg: boolean) {
        const realm = yield* CurrentRealm
        const draft = yield* newUsers.draft({
          userType: "human",
          usernameRequired: asksForUsername(realm),
          attributes: {
            ...attributesOf(form),
            emailVerification: realm.emailVerification === "none" ? "none" : "requested"
          },
          password: form.password ?? "",
          apiKey: undefined,
          credentials: undefined
        })
        const { user } = draft
        const org = withOrg ? yield* orgSignup.draft(form.orgName ?? null, user) : undefined
        const grant = yield* transaction.run(
          Effect.gen(function* () {
            const orgChanges = org === undefined ? [] : yield* orgSignup.changes(org, user)
            yield* journal.write([yield* newUsers.change(draft), ...orgChanges])
            const shown = { methods: ["pwd"] as const, hasSecondFactor: false, pendingKind: "kli_" as const }
            return yield* Effect.catchTag(completion.takeNextStep(user, shown), "UserInactive", Effect.die)
          })
        )
        return yield* completion.complete(grant, {
          memberships: selectsOnlyOrg,
          selectsOnlyOrg,
          remembersOrg: selectsOnlyOrg,
          orgId: undefined
        })
      })

      const signUp = Effect.fn("Signups.signUp")(function* (
        app: ConnectedApp,
        input: SignupForm,
        target: SignupTarget
      ) {
        const realm = yield* requireOpenRealm
        const { state, selectsOnlyOrg = false } = target
        const flow = resolveSignupFlow(realm, app)
        if (flow === "none" || flow === "request") return yield* new SignupClosed({ way: flow })
        const url = yield* logins.returnUrlOf(app, target, true)
        const fields = extraFieldsOf(realm, app)
        const form = onlyAskedFields(realm, fields, input)
        if (flow === "preverify") return yield* preverify(form)
        const problems = signupProblems(form, app, fields)
        const isValid = problems.length === 0 && (yield* KnownProblems).length === 0
        // The limit applies even if the email is taken. Otherwise an error would reveal that it isn't.
        if (isValid && flow !== "user_token" && realm.emailVerification !== "none") yield* rateLimits.takeVisitorMail
        if (flow === "user_token") {
          const signup = { attributes: attributesOf(form), password: form.password }
          const { token } = yield* withKnownProblems(problems, tokens.create(signup))
          const returnUrl = url === null ? null : withLoginToken(url, token, { state })
          return { _tag: "SignupToken" as const, token, returnUrl }
        }
        const outcome = yield* withKnownProblems(problems, createUser(form, flow === "user_org", selectsOnlyOrg))
        if (outcome._tag === "MfaRequired") return outcome
        const { token } = outcome.login
        return { ...outcome, returnUrl: url === null ? null : withLoginToken(url, token, { isNew: true, state }) }
      })

      const request = Effect.fn("Signups.request")(function* (app: ConnectedApp, email: string) {
        const realm = yield* requireOpenRealm
        if (resolveSignupFlow(realm, app) !== "request") return yield* new SignupClosed({ way: "none" })
        yield* rateLimits.takeVisitorMail
        yield* transaction
          .run(
            Effect.gen(function* () {
              const created = yield* createInvitation("request", email)
              const equivalent = yield* invitationsRepo.lockEquivalent(created, [created.email], yield* DateTime.now)
              // Roll back a repeated request. Its response is the same as for the first request.
              if (equivalent.length > 1) return yield* new AlreadyRequested()
            })
          )
          .pipe(Effect.catchTag("AlreadyRequested", () => Effect.void))
      })

      return Signups.of({
        passwordRequirements: newPasswords.requirements({
          username: null,
          email: null,
          firstName: null,
          lastName: null
        }),
        signUp: withApp(signUp),
        request
      })
    })
  )
}
