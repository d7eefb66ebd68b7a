import { Context, Effect, Layer } from "effect"
import { CurrentApp } from "#domain/ConnectedApp"
import { isSameEmail } from "#domain/Email"
import type { Invitation } from "#domain/Invitation"
import {
  type Blocked,
  type LoggedIn,
  type LoginOutcome,
  LoginsOff,
  TokenNotFound,
  type WrongCode,
  WrongPassword
} from "#domain/Login"
import { parseTypedName } from "#domain/LoginName"
import type { Org } from "#domain/Org"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { SecondFactorAnswer } from "#domain/SecondFactor"
import type { Login, Session } from "#domain/Session"
import { type User, type UserNotFound, visibleUser } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { LoginCompletion, type MfaGrant } from "../login/LoginCompletion.ts"
import { MfaLogins } from "../login/MfaLogins.ts"
import { PasswordLogins } from "../login/PasswordLogins.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { NewUsers } from "../provisioning/NewUsers.ts"
import { OrgSignup } from "../provisioning/OrgSignup.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { Acceptance } from "./Acceptance.ts"

/** An invitation, as shown to the invitee. */
export interface InvitationPreview {
  readonly invitation: Invitation
  readonly org: Org | undefined
  /** The name of the user who sent the invitation. */
  readonly inviter: string | undefined
  /** Whether a user with the invited email exists. */
  readonly hasAccount: boolean
  /**
   * Whether the visitor is another user than the invitee, and already a member of the org. If the invitation has no org, every
   * other user of the realm counts as a member.
   */
  readonly isMember: boolean
  /** The requirements for a new user's password. */
  readonly passwordRequirements: PasswordRequirements
}

/** A signup with an invitation. The new user gets the invitation's email. */
export interface InvitedSignup {
  readonly token: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** The org to create with the user, if any. An org without a name is named after the user. */
  readonly newOrg: { readonly name: string | null } | undefined
}

/** A user created with an invitation. `session` is undefined if no app is involved. */
export interface InvitedUser {
  readonly _tag: "Session"
  readonly user: User
  readonly session: Session | undefined
}

/** The result of a login that left the invitation to its invitee (C104). */
export interface InvitationLeft {
  readonly _tag: "InvitationLeft"
  readonly login: Login
}

type Unusable = TokenNotFound | LoginsOff
type Refused = Unusable | Rejected | RealmNotFound

/** Lets invitees accept emailed invitations, with a new or an existing account (C40a). */
export class InvitationFlow extends Context.Service<
  InvitationFlow,
  {
    /**
     * Finds the unexpired invitation with this token. Changes nothing. `visitor` is the logged-in user, who can accept without
     * a password.
     */
    preview(token: string, visitor: User | undefined): Effect.Effect<InvitationPreview, Unusable, CurrentRealm>
    /**
     * Creates a user who accepts the invitation, in one transaction, and logs the user in on the host of an app. Ignores
     * the realm's `signup` setting, except that a `preverify` invitation requires the setting `open`. Records, in order:
     *
     * - `user.created` and the events of the email,
     * - `org.created` and `membership.created` for a new org,
     * - the events of the acceptance,
     * - `user.login.succeeded`, or `user.login.initiated` if a second factor is required.
     */
    signUp(signup: InvitedSignup): Effect.Effect<InvitedUser | MfaGrant, Refused | HashingBusy, CurrentRealm>
    /**
     * Logs a user in by email or username, and accepts the invitation. Records the events of the login, then those of the
     * acceptance, unless the invitation is left to its invitee. Outside of an app's host, nothing uses the session. It is then
     * ended before the acceptance, which records `session.deleted`.
     */
    logIn(
      token: string,
      name: string,
      password: string
    ): Effect.Effect<LoginOutcome | InvitationLeft, Refused | HashingBusy | WrongPassword | Blocked, CurrentRealm>
    /** Completes a pending login with a second-factor code and accepts the invitation. Records the same events as `logIn`. */
    complete(
      token: string,
      login: string,
      code: SecondFactorAnswer
    ): Effect.Effect<LoggedIn | InvitationLeft, Refused | WrongPassword | WrongCode | Blocked, CurrentRealm>
    /**
     * Accepts the invitation for a logged-in user. Records the events of the acceptance. Fails with `UserNotFound` if the user
     * is no longer active.
     */
    accept(user: User, token: string): Effect.Effect<void, Refused | UserNotFound, CurrentRealm>
  }
>()("sallyport/core/InvitationFlow") {
  static readonly layer = Layer.effect(
    InvitationFlow,
    Effect.gen(function* () {
      const orgs = yield* OrgsRepo
      const usersRepo = yield* UsersRepo
      const newUsers = yield* NewUsers
      const newPasswords = yield* NewPasswords
      const orgSignup = yield* OrgSignup
      const providers = yield* AuthProvidersRepo
      const completion = yield* LoginCompletion
      const passwordLogins = yield* PasswordLogins
      const mfaLogins = yield* MfaLogins
      const sessions = yield* Sessions
      const acceptance = yield* Acceptance
      const journal = yield* Journal
      const transaction = yield* Transaction

      const scope = { memberships: false, orgId: undefined }

      /** Finds the invitation. Call it before hashing a password or counting an attempt. */
      const findUsable = Effect.fnUntraced(function* (token: string, isLoggedIn: boolean) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const found = yield* acceptance.find(token)
        // Visitors request `preverify` invitations for themselves when they sign up, so the realm must still be open for
        // signup.
        if (found.invitationType === "preverify" && realm.signup !== "open") return yield* new TokenNotFound()
        const passwords = isLoggedIn ? undefined : yield* providers.stateOf(realm.id, "password")
        if (!isLoggedIn && passwords?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
        return found
      })

      /**
       * Returns whether the visitor is a member although the invitation is for someone else. If it names no org, every user of
       * the realm is a member.
       */
      const isMember = (visitor: User, invitation: Invitation) =>
        invitation.orgId === null
          ? Effect.succeed(!isSameEmail(visitor.email, invitation.email))
          : acceptance.isLeftToInvitee(visitor, invitation)

      const preview = Effect.fn("InvitationFlow.preview")(function* (token: string, visitor: User | undefined) {
        const realm = yield* CurrentRealm
        const invitation = yield* findUsable(token, visitor !== undefined)
        const { email, orgId, invitingUserId } = invitation
        const org = orgId === null ? undefined : yield* orgs.find(realm.id, orgId)
        // No one can join a deleted or closed org.
        if (orgId !== null && (org === undefined || org.state === "closed")) return yield* new TokenNotFound()
        const inviter = invitingUserId === null ? undefined : yield* usersRepo.find(realm.id, invitingUserId)
        return {
          invitation,
          org,
          inviter: inviter === undefined ? undefined : visibleUser(realm, inviter).name,
          hasAccount: (yield* usersRepo.idByEmail(realm.id, email)) !== undefined,
          isMember: visitor !== undefined && (yield* isMember(visitor, invitation)),
          passwordRequirements: yield* newPasswords.requirements({
            email,
            username: null,
            firstName: null,
            lastName: null
          })
        }
      })

      const signUp = Effect.fn("InvitationFlow.signUp")(function* (signup: InvitedSignup) {
        const { token, password, firstName, lastName, newOrg } = signup
        const realm = yield* CurrentRealm
        const invitation = yield* findUsable(token, false)
        const { email } = invitation
        const draft = yield* newUsers.draft({
          userType: "human",
          usernameRequired: false,
          attributes: { email, emailVerification: verificationOf(realm, invitation), firstName, lastName },
          password,
          apiKey: undefined,
          credentials: undefined
        })
        const org = newOrg === undefined ? undefined : yield* orgSignup.draft(newOrg.name, draft.user)
        const app = yield* CurrentApp
        return yield* transaction.run(
          Effect.gen(function* () {
            const orgChanges = org === undefined ? [] : yield* orgSignup.changes(org, draft.user)
            yield* journal.write([yield* newUsers.change(draft), ...orgChanges])
            yield* Effect.catchTag(acceptance.accept(draft.user.id, token), "UserNotFound", Effect.die)
            if (app === null) return { _tag: "Session" as const, user: draft.user, session: undefined }
            const shown = { methods: ["pwd"] as const, hasSecondFactor: false, pendingKind: "kli_" as const }
            return yield* Effect.catchTag(completion.takeNextStep(draft.user, shown), "UserInactive", Effect.die)
          })
        )
      })

      const acceptBy = Effect.fnUntraced(function* (invitation: Invitation, token: string, loggedIn: LoggedIn) {
        const { login } = loggedIn
        const { session, user } = login
        const endSession = sessions.delete(session.id, "invitation_login")
        if ((yield* CurrentApp) === null) yield* endSession
        if (yield* acceptance.isLeftToInvitee(user, invitation)) return { _tag: "InvitationLeft" as const, login }
        yield* Effect.tapError(acceptance.accept(user.id, token), () => endSession)
        return loggedIn
      })

      const accept = Effect.fn("InvitationFlow.accept")(function* ({ id }: User, token: string) {
        yield* findUsable(token, true)
        yield* acceptance.accept(id, token)
      })

      const logIn = Effect.fn("InvitationFlow.logIn")(
        function* (token: string, name: string, password: string) {
          const invitation = yield* findUsable(token, false)
          const login = {
            loginNameIn: (realm: Realm) => parseTypedName(realm, name),
            name,
            hidesUnknown: true,
            password,
            pendingKind: "tmf:" as const,
            scope
          }
          const outcome = yield* passwordLogins.authenticate(login)
          return outcome._tag === "LoggedIn" ? yield* acceptBy(invitation, token, outcome) : outcome
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new WrongPassword({ reason: "unknown_user" })))
      )

      const complete = Effect.fn("InvitationFlow.complete")(
        function* (token: string, login: string, code: SecondFactorAnswer) {
          const invitation = yield* findUsable(token, false)
          const pending = { kind: "tmf:" as const, token: login, code, userId: undefined, scope }
          return yield* acceptBy(invitation, token, yield* mfaLogins.complete(pending))
        },
        Effect.catchTag("UserNotFound", () => Effect.fail(new WrongPassword({ reason: "unknown_user" })))
      )

      return InvitationFlow.of({ preview, signUp, logIn, complete, accept })
    })
  )
}

/**
 * The state of the email after a signup. An emailed link proves that the invitee owns the address. An invitation that was
 * never sent proves nothing.
 */
const verificationOf = ({ emailVerification }: Realm, { invitedAt }: Invitation) =>
  invitedAt !== null ? "verified" : emailVerification === "none" ? "none" : "requested"
