import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import { ExternalLoginRefused, type ProviderFailed } from "#domain/ExternalLogin"
import { LoginsOff } from "#domain/Login"
import { type Page, pageOf } from "#domain/Page"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { problem, type Rejected, rejection } from "#domain/Rejected"
import { isStorable, isWithin } from "#domain/Text"
import { URL_LENGTH, webUrlProblem } from "#domain/WebUrl"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { authorizationUrl } from "./AuthorizationUrl.ts"
import { AuthProviders } from "./AuthProviders.ts"
import { type AuthorizationUrlRequest, OAuthStates } from "./OAuthStates.ts"
import { ProviderPresets } from "./ProviderPresets.ts"

/** The URL where a person logs in at a provider. */
export interface AuthorizationUrl {
  readonly provider: ExternalProvider
  readonly url: string
}

/** The maximum number of providers in a list. */
const MAX_PROVIDERS = 1_000

/** The number of issuers to ask at the same time. */
const AT_ONCE = 10

/** Makes the URLs where logins through external providers start (`v2.external`). Each URL is valid for 30 minutes. */
export class AuthorizationUrls extends Context.Service<
  AuthorizationUrls,
  {
    /** The realm's active external providers. */
    readonly providers: Effect.Effect<ReadonlyArray<ExternalProvider>, never, CurrentRealm>
    /** A URL for each active external provider of the realm, except for those whose issuer can't be reached. */
    list(request: AuthorizationUrlRequest): Effect.Effect<Page<AuthorizationUrl>, Rejected | LoginsOff, CurrentRealm>
    get(
      name: string,
      request: AuthorizationUrlRequest
    ): Effect.Effect<AuthorizationUrl, AuthProviderNotFound | Rejected | LoginsOff | ExternalLoginRefused, CurrentRealm>
  }
>()("sallyport/core/AuthorizationUrls") {
  static readonly layer = Layer.effect(
    AuthorizationUrls,
    Effect.gen(function* () {
      const providers = yield* AuthProviders
      const repo = yield* AuthProvidersRepo
      const states = yield* OAuthStates
      const presets = yield* ProviderPresets

      const begin = Effect.fnUntraced(function* (provider: ExternalProvider, request: AuthorizationUrlRequest) {
        const preset = yield* presets.of(provider)
        const authorizationRequest = yield* states.begin(provider, request)
        return { provider, url: authorizationUrl(preset, provider, authorizationRequest) }
      })

      /** Rejects redirect URIs that are not web URLs, and rejects all requests in an inactive realm. */
      const check = Effect.fnUntraced(function* ({ redirectUri }: AuthorizationUrlRequest) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        if (redirectUri === "") return yield* rejection("redirect_uri", "blank")
        const violation = isStorable(redirectUri) ? webUrlProblem(redirectUri) : "url_form"
        if (violation !== undefined) return yield* rejection("redirect_uri", violation)
        if (isWithin(URL_LENGTH, redirectUri)) return realm
        return yield* rejection("redirect_uri", "too_long", { maximum: URL_LENGTH })
      })

      const listActive = Effect.fnUntraced(function* ({ id }: Realm) {
        const page = { after: undefined, maxResults: MAX_PROVIDERS, sort: "id", direction: "asc" } as const
        const filter = { providerType: undefined, state: "active" } as const
        const { items, more } = pageOf(yield* repo.list(id, filter, page), MAX_PROVIDERS)
        return { items: items.filter(isExternal), more }
      })

      const list = Effect.fn("AuthorizationUrls.list")(function* (request: AuthorizationUrlRequest) {
        const realm = yield* check(request)
        const { items, more } = yield* listActive(realm)
        const urls = yield* Effect.forEach(
          items,
          (provider) =>
            Effect.map(begin(provider, request), (url) => [url]).pipe(
              Effect.catchTag("ProviderFailed", () => Effect.succeed([]))
            ),
          { concurrency: AT_ONCE }
        )
        return { items: urls.flat(), more }
      })

      const get = Effect.fn("AuthorizationUrls.get")(function* (name: string, request: AuthorizationUrlRequest) {
        const provider = yield* providers.get(name)
        if (!isExternal(provider)) return yield* new AuthProviderNotFound({ name })
        yield* check(request)
        if (provider.state === "inactive") return yield* new LoginsOff({ why: "provider_inactive" })
        return yield* Effect.catchTag(begin(provider, request), "ProviderFailed", ({ why }: ProviderFailed) => {
          const { returnTo = null, appState = null, ownPage = null, authorization = null, invitation } = request
          return new ExternalLoginRefused({
            problem: problem(null, why),
            providerId: provider.id,
            retryUrl: undefined,
            started: { returnTo, state: appState, ownPage, authorization, invitation },
            userEmail: undefined,
            user: undefined
          })
        })
      })

      return AuthorizationUrls.of({
        providers: Effect.map(Effect.flatMap(CurrentRealm, listActive), ({ items }) => items),
        list,
        get
      })
    })
  )
}
