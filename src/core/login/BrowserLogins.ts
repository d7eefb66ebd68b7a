import { Context, DateTime, Effect, Layer } from "effect"
import { AuthProviderNotFound } from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import { handedOver, NoReturn, type OwnPage, placeOfReturn, type WayBack } from "#domain/HandOver"
import { type Blocked, type LoginsOff, TokenNotFound, type WrongCode } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isCleared } from "#domain/RealmClearing"
import type { Rejected } from "#domain/Rejected"
import type { Session } from "#domain/Session"
import { LoginDomains } from "../apps/LoginDomains.ts"
import { onHost } from "../apps/OnHost.ts"
import { Entropy } from "../Entropy.ts"
import { Acceptance } from "../invitations/Acceptance.ts"
import { InvitationsRepo } from "../invitations/InvitationsRepo.ts"
import { AuthProviders } from "../realms/AuthProviders.ts"
import { NewSessions } from "../sessions/NewSessions.ts"
import { secretText } from "../Tokens.ts"
import { AuthorizationUrls, isExternal } from "./AuthorizationUrls.ts"
import { CodeLogins } from "./CodeLogins.ts"
import { ExternalLogins } from "./ExternalLogins.ts"
import { OAuthStates } from "./OAuthStates.ts"

/** What a link to a provider's login says: where it is to lead, and which invitation is to be accepted. */
export interface BrowserStart extends WayBack {
  /** The page of ours that it goes on at, in place of the app. */
  readonly ownPage: OwnPage | null
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
}

/** What came of it: the address that takes over, with a token in it; or a code is due. `kept`: what has done its service. */
export type BrowserOutcome =
  | {
      readonly _tag: "LoggedIn"
      readonly url: string
      readonly begun: BrowserStart
      readonly session: Session
      readonly kept: string
    }
  | { readonly _tag: "CodeDue"; readonly due: CodeDue; readonly kept: string }

type Closed = AuthProviderNotFound | LoginsOff | NoReturn | TokenNotFound | Rejected
type Finishing = Closed | StateNotFound | ExternalLoginRefused | HashingBusy | RealmNotFound
type Completing = LoginsOff | NoReturn | StateNotFound | TokenNotFound | Rejected | WrongCode | Blocked | RealmNotFound

const scope = { memberships: false, orgId: undefined }
const pendingKind = "kli_"

/** Logins at providers elsewhere that begin and end in a browser, on the host of an app (api-v1 section 4, decision 43). */
export class BrowserLogins extends Context.Service<
  BrowserLogins,
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
    complete(
      app: ConnectedApp,
      due: CodeDue,
      code: string
    ): Effect.Effect<{ readonly url: string; readonly session: Session }, Completing, CurrentRealm>
  }
>()("sallyport/core/BrowserLogins") {
  static readonly layer = Layer.effect(
    BrowserLogins,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const domains = yield* LoginDomains
      const providers = yield* AuthProviders
      const urls = yield* AuthorizationUrls
      const states = yield* OAuthStates
      const logins = yield* ExternalLogins
      const codeLogins = yield* CodeLogins
      const newSessions = yield* NewSessions
      const acceptance = yield* Acceptance
      const invitations = yield* InvitationsRepo

      const external = Effect.fnUntraced(function* (name: string) {
        const provider = yield* providers.get(name)
        return isExternal(provider) ? provider : yield* new AuthProviderNotFound({ name })
      })

      const place = Effect.fnUntraced(function* (app: ConnectedApp, way: WayBack, isNew: boolean) {
        const found = placeOfReturn(app, way, isNew)
        return found instanceof NoReturn ? yield* found : found
      })

      /** Refuses an invitation before anybody logs in for it. */
      const usable = Effect.fnUntraced(function* (token: string | undefined) {
        if (token === undefined) return
        const { id: realmId, clearing } = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = isToken("nvt_", token) ? yield* invitations.findByToken(realmId, token, now) : undefined
        if (found === undefined || isCleared(clearing, "invitation", found.id)) return yield* new TokenNotFound()
      })

      const start = Effect.fn("BrowserLogins.start")(function* (app: ConnectedApp, name: string, asked: BrowserStart) {
        const provider = yield* external(name)
        yield* place(app, asked, false)
        yield* usable(asked.invitation)
        const kept = secretText(entropy)
        const redirectUri = `${domains.origin(app.subdomain)}/auth/${provider.id}/callback`
        const { state: appState, ...begun } = asked
        const { url } = yield* urls.get(provider.id, { ...begun, appState, redirectUri, nonce: kept })
        return { url, kept }
      })

      const finish = Effect.fn("BrowserLogins.finish")(function* (app: ConnectedApp, name: string, back: BrowserBack) {
        const provider = yield* external(name)
        const state = yield* states.find(back.state)
        const kept = back.kept.find((one) => state.isBoundTo(one))
        if (kept === undefined || state.authProviderId !== provider.id) return yield* new StateNotFound()
        const { returnTo, appState, ownPage, invitation } = state
        const begun: BrowserStart = { returnTo, state: appState, ownPage, invitation }
        yield* place(app, begun, false)
        const outcome = yield* logins.byCode({ ...back, nonce: kept, pendingKind, scope })
        if (outcome._tag === "CodeDue") {
          return { _tag: "CodeDue" as const, due: { ...begun, login: outcome.token }, kept }
        }
        const { isNew, login } = outcome
        const url = handedOver(yield* place(app, begun, isNew), login.token, { isNew, state: appState })
        return { _tag: "LoggedIn" as const, url, begun, session: login.session, kept }
      })

      const complete = Effect.fn("BrowserLogins.complete")(function* (
        app: ConnectedApp,
        { login, ...begun }: CodeDue,
        code: string
      ) {
        const { invitation, state } = begun
        const known = yield* place(app, begun, false)
        yield* usable(invitation)
        const pending = { kind: pendingKind, token: login, code, userId: undefined, scope } as const
        const gone = () => Effect.fail(new StateNotFound())
        const outcome = yield* codeLogins
          .complete(pending)
          .pipe(Effect.catchTag(["TokenNotFound", "UserNotFound"], gone))
        if (outcome._tag === "CodeDue") return yield* new StateNotFound()
        const { user, session } = outcome.login
        if (invitation === undefined) return { url: handedOver(known, outcome.login.token, { state }), session }
        yield* Effect.catchTag(acceptance.accept(user.id, invitation), ["UserNotFound", "Rejected"], () =>
          Effect.fail(new TokenNotFound())
        )
        // Only now does a token say what has been joined.
        const { token } = yield* newSessions.login(yield* CurrentRealm, session, user, scope)
        return { url: handedOver(known, token, { state }), session }
      })

      return BrowserLogins.of({ start: onHost(start), finish: onHost(finish), complete: onHost(complete) })
    })
  )
}
