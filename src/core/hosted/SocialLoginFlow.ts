import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, isExternal } from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import type { ReturnPage } from "#domain/HostedPaths"
import type { UserId } from "#domain/Ids"
import { type Blocked, LoginsOff, TokenNotFound, type WrongCode } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { RedirectRefused, type ReturnTarget, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"
import type { Session } from "#domain/Session"
import { type User, visibleUser } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret } from "#platform/Tokens"
import { OrgsRepo } from "#store/OrgsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { withApp } from "../apps/WithApp.ts"
import { AuthorizationUrls } from "../external/AuthorizationUrls.ts"
import { ExternalLogins } from "../external/ExternalLogins.ts"
import { OAuthStates } from "../external/OAuthStates.ts"
import { Acceptance } from "../invitations/Acceptance.ts"
import { MfaLogins } from "../login/MfaLogins.ts"
import { AuthProviders } from "../realms/AuthProviders.ts"
import type { BrowserUser } from "../sessions/BrowserSessions.ts"
import { NewSessions } from "../sessions/NewSessions.ts"

/** What a link to a provider's login says: where it is to lead, and which invitation is to be accepted. */
export interface BrowserStart extends ReturnTarget {
  /** The page of ours that it goes on at, in place of the app. */
  readonly ownPage: ReturnPage | null
  readonly invitation: string | undefined
}

/** A browser that has come back from a provider. Blank text is none. */
export interface BrowserBack {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** What this browser was given to keep when its logins began. */
  readonly kept: ReadonlyArray<string>
}

/** A login that waits for a code, and what it was begun with. */
export interface CodeDue extends BrowserStart {
  readonly login: string
  /** Whether it is the one who was invited who logs in. */
  readonly isInvitee: boolean
}

/** A login that was begun with an invitation of somebody else's: whoever it is is asked first (SEC-92). */
export interface JoinDue extends BrowserStart {
  readonly invitation: string
  readonly isNew: boolean
}

/** What an invitation is about, for who is asked. */
export interface SeenJoin {
  readonly email: string
  readonly org: string | undefined
  readonly inviter: string | undefined
}

/** Somebody who is logged in: the address that takes over, with a token in it; or an invitation waits for a word. */
export type Entered =
  | {
      readonly _tag: "LoggedIn"
      readonly url: string
      readonly begun: BrowserStart
      readonly session: Session
    }
  | { readonly _tag: "JoinDue"; readonly due: JoinDue; readonly user: User; readonly session: Session }

/** What came of it: somebody is logged in, or a code is due. `kept`: what has done its service. */
export type BrowserOutcome = (Entered | { readonly _tag: "CodeDue"; readonly due: CodeDue }) & { readonly kept: string }

type Closed = AuthProviderNotFound | LoginsOff | RedirectRefused | TokenNotFound | Rejected
type Finishing = Closed | StateNotFound | ExternalLoginRefused | HashingBusy | RealmNotFound
type Completing =
  | LoginsOff
  | RedirectRefused
  | StateNotFound
  | TokenNotFound
  | Rejected
  | WrongCode
  | Blocked
  | RealmNotFound

type Joining = LoginsOff | RedirectRefused | TokenNotFound | StateNotFound | RealmNotFound

const scope = { memberships: false, orgId: undefined }
const pendingKind = "kli_"

/** Logins at providers elsewhere that begin and end in a browser, on the host of an app (`v1.hosted.social`, C43). */
export class SocialLoginFlow extends Context.Service<
  SocialLoginFlow,
  {
    /** Where the browser goes, and what it keeps meanwhile: without that, nobody finishes this login (SEC-36, SEC-60). */
    start(
      app: ConnectedApp,
      name: string,
      asked: BrowserStart
    ): Effect.Effect<{ readonly url: string; readonly kept: string }, Closed, CurrentRealm>
    /** The events of the login, then those of the acceptance of its invitation. */
    finish(app: ConnectedApp, name: string, back: BrowserBack): Effect.Effect<BrowserOutcome, Finishing, CurrentRealm>
    /** The address that takes over after the code. No login that waits: the state is gone. */
    complete(app: ConnectedApp, due: CodeDue, code: string): Effect.Effect<Entered, Completing, CurrentRealm>
    /** What the invitation is about that waits for a word. Changes nothing. */
    seen(due: JoinDue): Effect.Effect<SeenJoin, TokenNotFound, CurrentRealm>
    /** The address that takes over who is logged in: with the invitation accepted and its events, or without. */
    join(
      app: ConnectedApp,
      who: BrowserUser,
      due: JoinDue,
      joins: boolean
    ): Effect.Effect<{ readonly url: string }, Joining, CurrentRealm>
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

      const external = Effect.fnUntraced(function* (name: string) {
        const provider = yield* providers.get(name)
        return isExternal(provider) ? provider : yield* new AuthProviderNotFound({ name })
      })

      const place = Effect.fnUntraced(function* (app: ConnectedApp, way: ReturnTarget, isNew: boolean) {
        const found = resolveReturnUrl(app, way, isNew)
        return found instanceof RedirectRefused ? yield* found : found
      })

      /** Refuses an invitation before anybody logs in for it. */
      const usable = (token: string | undefined) =>
        token === undefined ? Effect.void : Effect.asVoid(acceptance.look(token))

      const accept = (userId: UserId, token: string) =>
        Effect.catchTag(acceptance.accept(userId, token), ["UserNotFound", "Rejected"], () =>
          Effect.fail(new TokenNotFound())
        )

      const start = Effect.fn("SocialLoginFlow.start")(function* (
        app: ConnectedApp,
        name: string,
        asked: BrowserStart
      ) {
        const provider = yield* external(name)
        yield* place(app, asked, false)
        yield* usable(asked.invitation)
        const kept = randomSecret(entropy)
        const redirectUri = `${domains.origin(app.subdomain)}/auth/${provider.id}/callback`
        const { state: appState, ...begun } = asked
        const { url } = yield* urls.get(provider.id, { ...begun, appState, redirectUri, nonce: kept })
        return { url, kept }
      })

      const finish = Effect.fn("SocialLoginFlow.finish")(function* (
        app: ConnectedApp,
        name: string,
        back: BrowserBack
      ) {
        const provider = yield* external(name)
        const state = yield* states.find(back.state)
        const kept = back.kept.find((one) => state.isBoundTo(one))
        if (kept === undefined || state.authProviderId !== provider.id) return yield* new StateNotFound()
        const { returnTo, appState, ownPage, invitation } = state
        const begun: BrowserStart = { returnTo, state: appState, ownPage, invitation }
        yield* place(app, begun, false)
        const outcome = yield* logins.byCode({ ...back, nonce: kept, pendingKind, scope })
        if (outcome._tag === "CodeDue") {
          return {
            _tag: "CodeDue" as const,
            due: { ...begun, login: outcome.token, isInvitee: outcome.isInvitee },
            kept
          }
        }
        const { isNew, isInvitee, login } = outcome
        const { session, user } = login
        if (invitation !== undefined && !isInvitee) {
          return { _tag: "JoinDue" as const, due: { ...begun, invitation, isNew }, user, session, kept }
        }
        const url = withLoginToken(yield* place(app, begun, isNew), login.token, { isNew, state: appState })
        return { _tag: "LoggedIn" as const, url, begun, session, kept }
      })

      const complete = Effect.fn("SocialLoginFlow.complete")(function* (
        app: ConnectedApp,
        { login, isInvitee, ...begun }: CodeDue,
        code: string
      ) {
        const { invitation, state } = begun
        const known = yield* place(app, begun, false)
        yield* usable(invitation)
        const pending = { kind: pendingKind, token: login, code, userId: undefined, scope } as const
        const gone = () => Effect.fail(new StateNotFound())
        const outcome = yield* mfaLogins
          .complete(pending)
          .pipe(Effect.catchTag(["TokenNotFound", "UserNotFound"], gone))
        if (outcome._tag === "CodeDue") return yield* new StateNotFound()
        const { user, session } = outcome.login
        if (invitation !== undefined && !isInvitee) {
          return { _tag: "JoinDue" as const, due: { ...begun, invitation, isNew: false }, user, session }
        }
        if (invitation !== undefined) yield* accept(user.id, invitation)
        // Only now does a token say what has been joined.
        const { token } = yield* newSessions.login(yield* CurrentRealm, session, user, scope)
        return { _tag: "LoggedIn" as const, url: withLoginToken(known, token, { state }), begun, session }
      })

      const seen = Effect.fn("SocialLoginFlow.seen")(function* ({ invitation }: JoinDue) {
        const realm = yield* CurrentRealm
        const { email, orgId, invitingUserId } = yield* acceptance.look(invitation)
        const org = orgId === null ? undefined : yield* orgs.find(realm.id, orgId)
        if (orgId !== null && org === undefined) return yield* new TokenNotFound()
        const inviter = invitingUserId === null ? undefined : yield* users.find(realm.id, invitingUserId)
        return { email, org: org?.name, inviter: inviter === undefined ? undefined : visibleUser(realm, inviter).name }
      })

      const join = Effect.fn("SocialLoginFlow.join")(function* (
        app: ConnectedApp,
        { user, session }: BrowserUser,
        { isNew, invitation, ...begun }: JoinDue,
        joins: boolean
      ) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const known = yield* place(app, begun, isNew)
        if (joins) yield* accept(user.id, invitation)
        // An unmanaged realm keeps no session: each token is one of its own.
        const current = session ?? (yield* newSessions.begin(realm, user))
        if (current === undefined) return yield* new StateNotFound()
        const { token } = yield* newSessions.login(realm, current, user, scope)
        return { url: withLoginToken(known, token, { isNew, state: begun.state }) }
      })

      return SocialLoginFlow.of({
        start: withApp(start),
        finish: withApp(finish),
        complete: withApp(complete),
        seen,
        join: withApp(join)
      })
    })
  )
}
