import { Context, Effect, Layer } from "effect"
import {
  AuthProviderNotFound,
  callbackName,
  type ExternalProvider,
  isExternal,
  parseProviderRef
} from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { type ExternalLoginRefused, type LinkRefused, StateNotFound } from "#domain/ExternalLogin"
import { socialPath } from "#domain/HostedPaths"
import { LoginsOff } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
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

/** The parameters of a provider's redirect, and the browser's secrets. Blank text counts as missing. */
export interface LinkResponse {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** The secrets that this browser received when it started to link a profile or to log in. */
  readonly secrets: ReadonlyArray<string>
}

/** A linked profile. */
export interface LinkedProfile {
  /** The browser's secret that was used up. */
  readonly used: string
  readonly target: ReturnTarget
}

type StartFailure = AuthProviderNotFound | LoginsOff | Rejected | ExternalLoginRefused
type FinishFailure =
  | StateNotFound
  | SessionNotFound
  | LoginsOff
  | Rejected
  | HashingBusy
  | ExternalLoginRefused
  | LinkRefused
  | RealmNotFound

/** Links profiles of external providers to logged-in users at their request, on an app's host (C154). */
export class ProviderLinks extends Context.Service<
  ProviderLinks,
  {
    /**
     * Returns the provider's URL where the user confirms the link, and a secret for the browser. The link can only be finished
     * with this secret.
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
    /** Returns whether a state belongs to a link instead of a login. */
    isLink(app: ConnectedApp, state: string): Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Links the profile when the browser returns from the provider. The user who started must still be logged in in this
     * browser (SEC-136, SEC-143). Records `user.updated`.
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
        const redirectUri = `${domains.origin(app.subdomain)}${socialPath("callback", callbackName(provider))}`
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
        const ref = parseProviderRef(name)
        const named = ref === undefined ? undefined : yield* providers.find((yield* CurrentRealm).id, ref)
        if (secret === undefined || found.authProviderId !== named?.id) return yield* new StateNotFound()
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
