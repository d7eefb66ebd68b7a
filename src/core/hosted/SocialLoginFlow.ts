import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, callbackName, isExternal } from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import { socialPath } from "#domain/HostedPaths"
import type { OrgId, UserId } from "#domain/Ids"
import type { Invitation } from "#domain/Invitation"
import { type Blocked, LoginsOff, TokenNotFound, type WrongCode } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { RedirectRefused, type ReturnTarget, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"
import type { SecondFactorAnswer } from "#domain/SecondFactor"
import type { Login } from "#domain/Session"
import { RequestedLevel } from "#domain/StepUp"
import { type User, visibleUser } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret } from "#platform/Tokens"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { withApp } from "../apps/WithApp.ts"
import { AuthorizationUrls } from "../external/AuthorizationUrls.ts"
import { AuthProviders } from "../external/AuthProviders.ts"
import { ExternalLogins } from "../external/ExternalLogins.ts"
import { OAuthStates } from "../external/OAuthStates.ts"
import { nameInUser } from "../external/providers/ProviderClaims.ts"
import { Acceptance } from "../invitations/Acceptance.ts"
import { MfaLogins } from "../login/MfaLogins.ts"
import type { BrowserUser } from "../sessions/BrowserSessions.ts"
import { NewSessions } from "../sessions/NewSessions.ts"
import type {
  JoinDetails,
  JoinRequired,
  PendingJoin,
  PendingSocialLogin,
  SocialCallback,
  SocialLoggedIn,
  SocialLoginResult,
  SocialLoginStart
} from "./SocialLogin.ts"

type StartFailure = AuthProviderNotFound | LoginsOff | RedirectRefused | TokenNotFound | Rejected | ExternalLoginRefused
type FinishFailure = StartFailure | StateNotFound | HashingBusy | RealmNotFound
type JoinFailure = LoginsOff | RedirectRefused | TokenNotFound | StateNotFound | RealmNotFound
type MfaFailure = JoinFailure | Rejected | WrongCode | Blocked

/**
 * Selects the memberships in the token of a login. If users of the realm choose among their orgs, the token names the org that
 * the user has just joined, or else the user's only org.
 */
const scopeIn = ({ orgMode }: Realm, joinedOrgId: OrgId | null = null) => {
  const hasOrgs = orgMode === "multi_user"
  return { memberships: hasOrgs, selectsOnlyOrg: hasOrgs, remembersOrg: hasOrgs, orgId: joinedOrgId ?? undefined }
}

/** Returns the org joined by accepting an invitation, if users of the realm choose among their orgs. */
const joinedOrgIn = ({ orgMode }: Realm, invitation: Invitation | undefined): OrgId | null =>
  orgMode === "multi_user" ? (invitation?.orgId ?? null) : null

const pendingKind = "kli_"

/** Logs users in through external providers in a browser, on the host of an app (`v1.hosted`, C43). */
export class SocialLoginFlow extends Context.Service<
  SocialLoginFlow,
  {
    /**
     * Returns the provider's URL and a secret for the browser. The login can only be finished with this secret (SEC-36,
     * SEC-60).
     */
    start(
      app: ConnectedApp,
      provider: string,
      start: SocialLoginStart
    ): Effect.Effect<{ readonly url: string; readonly secret: string }, StartFailure, CurrentRealm>
    /** Keeps the name in the `user` member that Apple posts with the first login, until the login is finished (C299). */
    keepName(
      app: ConnectedApp,
      callback: { readonly state: string; readonly user: string }
    ): Effect.Effect<void, never, CurrentRealm>
    /**
     * Logs a user in when the browser returns from the provider. Records the events of the login, then those of accepting the
     * invitation.
     */
    finish(
      app: ConnectedApp,
      provider: string,
      callback: SocialCallback
    ): Effect.Effect<SocialLoginResult, FinishFailure, CurrentRealm>
    /** Completes a login with a second-factor code. Fails with `StateNotFound` if no such login is pending. */
    complete(
      app: ConnectedApp,
      pending: PendingSocialLogin,
      code: SecondFactorAnswer
    ): Effect.Effect<SocialLoggedIn | JoinRequired, MfaFailure, CurrentRealm>
    /** Returns the invitation's details for a logged-in user. Changes nothing. */
    joinDetails(join: PendingJoin, user: User): Effect.Effect<JoinDetails, TokenNotFound, CurrentRealm>
    /**
     * Continues a login once the user has decided about the invitation. If `accepts` is true, accepts it and records the
     * events of the acceptance.
     */
    join(
      app: ConnectedApp,
      browserUser: BrowserUser,
      join: PendingJoin,
      accepts: boolean
    ): Effect.Effect<SocialLoggedIn, JoinFailure, CurrentRealm>
  }
>()("sallyport/core/SocialLoginFlow") {
  static readonly layer = Layer.effect(
    SocialLoginFlow,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const domains = yield* LoginDomains
      const providers = yield* AuthProviders
      const urls = yield* AuthorizationUrls
      const states = yield* OAuthStates
      const logins = yield* ExternalLogins
      const mfaLogins = yield* MfaLogins
      const newSessions = yield* NewSessions
      const acceptance = yield* Acceptance
      const orgs = yield* OrgsRepo
      const users = yield* UsersRepo

      const findProvider = Effect.fnUntraced(function* (name: string) {
        const provider = yield* providers.get(name)
        return isExternal(provider) ? provider : yield* new AuthProviderNotFound({ name })
      })

      const returnUrlOf = Effect.fnUntraced(function* (app: ConnectedApp, target: ReturnTarget, isNew: boolean) {
        const url = resolveReturnUrl(app, target, isNew)
        return url instanceof RedirectRefused ? yield* url : url
      })

      const loggedIn = (
        url: string,
        login: Login,
        joinedOrgId: OrgId | null,
        { isNew = false, state }: Parameters<typeof withLoginToken>[2]
      ): SocialLoggedIn => ({
        _tag: "LoggedIn",
        login,
        joinedOrgId,
        isNew,
        returnUrl: withLoginToken(url, login.token, { isNew, state })
      })

      const joinRequired = (login: Login, join: PendingJoin): JoinRequired => ({ _tag: "JoinRequired", login, join })

      /** Finds the invitation with this token before the login starts. Fails if it doesn't exist or has expired. */
      const findInvitation = (token: string | undefined) =>
        token === undefined ? Effect.succeed(undefined) : acceptance.find(token)

      const accept = (userId: UserId, token: string) =>
        Effect.catchTag(acceptance.accept(userId, token), ["UserNotFound", "Rejected"], () =>
          Effect.fail(new TokenNotFound())
        )

      const start = Effect.fn("SocialLoginFlow.start")(function* (
        app: ConnectedApp,
        name: string,
        request: SocialLoginStart
      ) {
        const provider = yield* findProvider(name)
        yield* returnUrlOf(app, request, false)
        yield* findInvitation(request.invitation)
        const secret = randomSecret(entropy)
        const redirectUri = `${domains.origin(app.subdomain)}${socialPath("callback", callbackName(provider))}`
        const { state: appState, ...rest } = request
        const { url } = yield* urls.get(provider.id, { ...rest, appState, redirectUri, nonce: secret })
        return { url, secret }
      })

      const keepName = Effect.fn("SocialLoginFlow.keepName")(
        function* (_: ConnectedApp, { state, user }: { readonly state: string; readonly user: string }) {
          const name = nameInUser(user)
          if (name !== undefined) yield* (yield* states.find(state)).keepName(name)
        },
        // The redirect that follows reports an unknown state.
        Effect.catchTag("StateNotFound", () => Effect.void)
      )

      const finish = Effect.fn("SocialLoginFlow.finish")(function* (
        app: ConnectedApp,
        name: string,
        callback: SocialCallback
      ) {
        const provider = yield* findProvider(name)
        const state = yield* states.find(callback.state)
        const secret = callback.secrets.find((one) => state.isBoundTo(one))
        if (secret === undefined || state.authProviderId !== provider.id) return yield* new StateNotFound()
        const { returnTo, appState, ownPage, authorization, invitation, level } = state
        const start: SocialLoginStart = {
          returnTo,
          state: appState,
          ownPage,
          authorization,
          invitation,
          level
        }
        yield* returnUrlOf(app, start, false)
        const realm = yield* CurrentRealm
        const external = yield* logins
          .byCode({ ...callback, nonce: secret, pendingKind, scope: scopeIn(realm) })
          .pipe(Effect.provideService(RequestedLevel, level))
        const { isNew, isInvitee } = external
        const result = { start, isInvitee, used: secret }
        if (external._tag === "MfaRequired") return { ...result, outcome: external }
        const { login } = external
        if (invitation !== undefined && !isInvitee) {
          return { ...result, outcome: joinRequired(login, { ...start, invitation, isNew }) }
        }
        const url = yield* returnUrlOf(app, start, isNew)
        const joinedOrgId = realm.orgMode === "multi_user" ? external.joinedOrgId : null
        return { ...result, outcome: loggedIn(url, login, joinedOrgId, { isNew, state: appState }) }
      })

      const complete = Effect.fn("SocialLoginFlow.complete")(function* (
        app: ConnectedApp,
        { login: token, isInvitee, ...start }: PendingSocialLogin,
        code: SecondFactorAnswer
      ) {
        const { invitation, state } = start
        const url = yield* returnUrlOf(app, start, false)
        const found = yield* findInvitation(invitation)
        const realm = yield* CurrentRealm
        const scope = scopeIn(realm)
        const { login } = yield* mfaLogins
          .complete({ kind: pendingKind, token, code, userId: undefined, scope })
          .pipe(Effect.catchTag(["TokenNotFound", "UserNotFound"], () => Effect.fail(new StateNotFound())))
        const { session, user } = login
        if (invitation !== undefined && !isInvitee) {
          return joinRequired(login, { ...start, invitation, isNew: false })
        }
        if (invitation !== undefined) yield* accept(user.id, invitation)
        // The token contains the user's memberships, so sign it after accepting the invitation.
        const joinedOrgId = joinedOrgIn(realm, found)
        const signed = yield* newSessions.login(realm, session, user, scopeIn(realm, joinedOrgId))
        return loggedIn(url, signed, joinedOrgId, { state })
      })

      const joinDetails = Effect.fn("SocialLoginFlow.joinDetails")(function* ({ invitation }: PendingJoin, user: User) {
        const realm = yield* CurrentRealm
        const found = yield* acceptance.find(invitation)
        const { email, orgId, invitingUserId } = found
        const org = orgId === null ? undefined : yield* orgs.find(realm.id, orgId)
        if (orgId !== null && org === undefined) return yield* new TokenNotFound()
        const inviter = invitingUserId === null ? undefined : yield* users.find(realm.id, invitingUserId)
        return {
          email,
          org: org?.name,
          inviter: inviter === undefined ? undefined : visibleUser(realm, inviter).name,
          isLeftToInvitee: yield* acceptance.isLeftToInvitee(user, found)
        }
      })

      const join = Effect.fn("SocialLoginFlow.join")(function* (
        app: ConnectedApp,
        { user, session, authentication }: BrowserUser,
        { isNew, invitation, ...start }: PendingJoin,
        accepts: boolean
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const url = yield* returnUrlOf(app, start, isNew)
        const found = accepts ? yield* acceptance.find(invitation) : undefined
        if (accepts) yield* accept(user.id, invitation)
        // Unmanaged realms store no sessions, so each token gets a new session ID.
        const current = session ?? (yield* newSessions.begin(realm, user, authentication))
        if (current === undefined) return yield* new StateNotFound()
        const joinedOrgId = joinedOrgIn(realm, found)
        const login = yield* newSessions.login(realm, current, user, scopeIn(realm, joinedOrgId))
        return loggedIn(url, login, joinedOrgId, { isNew, state: start.state })
      })

      return SocialLoginFlow.of({
        start: withApp(start),
        keepName: withApp(keepName),
        finish: withApp(finish),
        complete: withApp(complete),
        joinDetails,
        join: withApp(join)
      })
    })
  )
}
