import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type ExternalLoginRefused, type LinkRefused, StateNotFound } from "#domain/ExternalLogin"
import { socialPath } from "#domain/HostedPaths"
import { LoginsOff } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { ReturnTarget } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import type { BrowserLogin } from "#domain/StepUp"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { withApp } from "../apps/WithApp.ts"
import { Journal } from "../events/Journal.ts"
import { BrowserSessions } from "../sessions/BrowserSessions.ts"
import { AccountLinking } from "./AccountLinking.ts"
import { AuthorizationUrls } from "./AuthorizationUrls.ts"
import { ExternalLogins } from "./ExternalLogins.ts"
import { OAuthStates } from "./OAuthStates.ts"

/** The redirect with which a provider sends a browser back, and the browser's secrets. Blank text counts as missing. */
export interface LinkResponse {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** The secrets given to this browser when it began to link or to log in. */
  readonly secrets: ReadonlyArray<string>
}

/** A linked profile. */
export interface LinkedProfile {
  /** The browser's secret, now used up. */
  readonly used: string
  readonly target: ReturnTarget
}

type StartFailure = AuthProviderNotFound | LoginsOff | Rejected
type FinishFailure =
  | StateNotFound
  | SessionNotFound
  | LoginsOff
  | Rejected
  | HashingBusy
  | ExternalLoginRefused
  | LinkRefused
  | RealmNotFound

/** Links profiles of external providers to logged-in users who request it, on the host of an app (C154). */
export class ProviderLinks extends Context.Service<
  ProviderLinks,
  {
    /**
     * The provider's URL at which a user links a profile, and a secret for the browser, without which the link can't be
     * finished.
     */
    start(
      app: ConnectedApp,
      user: User,
      provider: string,
      target: ReturnTarget
    ): Effect.Effect<
      { readonly provider: ExternalProvider; readonly url: string; readonly secret: string },
      StartFailure,
      CurrentRealm
    >
    /** Whether a state belongs to a link, not to a login. */
    isLink(app: ConnectedApp, state: string): Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Links the profile once the browser has returned, if the user who began is still logged in there (SEC-136,
     * SEC-143). Records `user.updated`.
     */
    finish(
      app: ConnectedApp,
      provider: string,
      response: LinkResponse,
      login: BrowserLogin
    ): Effect.Effect<LinkedProfile, FinishFailure, CurrentRealm>
  }
>()("sallyport/core/ProviderLinks") {
  static readonly layer = Layer.effect(
    ProviderLinks,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const domains = yield* LoginDomains
      const providers = yield* AuthProvidersRepo
      const urls = yield* AuthorizationUrls
      const states = yield* OAuthStates
      const logins = yield* ExternalLogins
      const linking = yield* AccountLinking
      const users = yield* UsersRepo
      const browsers = yield* BrowserSessions
      const journal = yield* Journal
      const transaction = yield* Transaction

      const start = Effect.fn("ProviderLinks.start")(function* (
        app: ConnectedApp,
        user: User,
        name: string,
        { returnTo, state: appState }: ReturnTarget
      ) {
        const provider = (yield* urls.providers).find(({ id }) => id === name)
        if (provider === undefined) return yield* new AuthProviderNotFound({ name })
        const secret = randomSecret(entropy)
        const redirectUri = `${domains.origin(app.subdomain)}${socialPath("callback", provider.id)}`
        const request = { redirectUri, nonce: secret, returnTo, appState, linksTo: user.id }
        const { url } = yield* urls.get(provider.id, request)
        return { provider, url, secret }
      })

      const isLink = (_: ConnectedApp, state: string) =>
        states.find(state).pipe(
          Effect.map(({ linksTo }) => linksTo !== undefined),
          Effect.catchTag("StateNotFound", () => Effect.succeed(false))
        )

      const finish = Effect.fn("ProviderLinks.finish")(function* (
        _: ConnectedApp,
        name: string,
        response: LinkResponse,
        login: BrowserLogin
      ) {
        const { userId } = login
        const found = yield* states.find(response.state)
        const secret = response.secrets.find((one) => found.isBoundTo(one))
        if (secret === undefined || found.authProviderId !== name) return yield* new StateNotFound()
        const { identity, state } = yield* logins.identify(
          { ...response, nonce: secret },
          ({ linksTo }) => linksTo === userId
        )
        yield* transaction.run(
          Effect.gen(function* () {
            const provider = yield* providers.find(identity.provider.realmId, identity.provider.id)
            if (provider === undefined || !isExternal(provider) || provider.state === "inactive")
              return yield* new LoginsOff({ why: "provider_inactive" })
            const user = yield* users.findForUpdate(provider.realmId, userId)
            if (user?.state !== "active") return yield* new StateNotFound()
            yield* browsers.requireLogin(login)
            yield* state.consume
            yield* journal.record(yield* linking.link(user, identity))
          })
        )
        return { used: secret, target: { returnTo: state.returnTo, state: state.appState } }
      })

      return ProviderLinks.of({ start: withApp(start), isLink: withApp(isLink), finish: withApp(finish) })
    })
  )
}
