import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import { LoginsOff } from "#domain/Login"
import { type Page, pageOf } from "#domain/Page"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { isStorable, isWithin } from "#domain/Text"
import { URL_LENGTH, webUrlProblem } from "#domain/WebUrl"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { AuthProviders } from "../realms/AuthProviders.ts"
import { authorizationUrl } from "./AuthorizationUrl.ts"
import { OAuthStates, type UrlAsked } from "./OAuthStates.ts"
import { presetOf, WellKnown } from "./providers/Presets.ts"

/** Where a person goes to log in at a provider. */
export interface AuthorizationUrl {
  readonly provider: ExternalProvider
  readonly url: string
}

/** How many providers a list shows. */
const MOST = 1_000

/** The beginnings of logins elsewhere (`v2.external`). Each URL is good for 30 minutes. */
export class AuthorizationUrls extends Context.Service<
  AuthorizationUrls,
  {
    /** The active providers of the realm that people log in at. */
    readonly providers: Effect.Effect<ReadonlyArray<ExternalProvider>, never, CurrentRealm>
    /** One for each active provider of the realm. */
    list(asked: UrlAsked): Effect.Effect<Page<AuthorizationUrl>, Rejected | LoginsOff, CurrentRealm>
    get(
      name: string,
      asked: UrlAsked
    ): Effect.Effect<AuthorizationUrl, AuthProviderNotFound | Rejected | LoginsOff, CurrentRealm>
  }
>()("sallyport/core/AuthorizationUrls") {
  static readonly layer = Layer.effect(
    AuthorizationUrls,
    Effect.gen(function* () {
      const providers = yield* AuthProviders
      const repo = yield* AuthProvidersRepo
      const states = yield* OAuthStates
      const wellKnown = yield* WellKnown

      const begun = Effect.fnUntraced(function* (provider: ExternalProvider, asked: UrlAsked) {
        const beginning = yield* states.begin(provider, asked)
        return { provider, url: authorizationUrl(presetOf(wellKnown, provider), provider, beginning) }
      })

      /** Refuses a place that no code could arrive at, and realms where nobody logs in. */
      const check = Effect.fnUntraced(function* ({ redirectUri }: UrlAsked) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        if (redirectUri === "") return yield* rejected("redirect_uri", "blank")
        const wrong = isStorable(redirectUri) ? webUrlProblem(redirectUri) : "url_form"
        if (wrong !== undefined) return yield* rejected("redirect_uri", wrong)
        if (isWithin(URL_LENGTH, redirectUri)) return realm
        return yield* rejected("redirect_uri", "too_long", { maximum: URL_LENGTH })
      })

      const active = Effect.fnUntraced(function* ({ id }: Realm) {
        const page = { after: undefined, maxResults: MOST, sort: "id", direction: "asc" } as const
        const filter = { providerType: undefined, state: "active" } as const
        const { items, more } = pageOf(yield* repo.list(id, filter, page), MOST)
        return { items: items.filter(isExternal), more }
      })

      const list = Effect.fn("AuthorizationUrls.list")(function* (asked: UrlAsked) {
        const realm = yield* check(asked)
        const { items, more } = yield* active(realm)
        return { items: yield* Effect.forEach(items, (provider) => begun(provider, asked)), more }
      })

      const get = Effect.fn("AuthorizationUrls.get")(function* (name: string, asked: UrlAsked) {
        const provider = yield* providers.get(name)
        if (!isExternal(provider)) return yield* new AuthProviderNotFound({ name })
        yield* check(asked)
        if (provider.state === "inactive") return yield* new LoginsOff({ why: "provider_inactive" })
        return yield* begun(provider, asked)
      })

      return AuthorizationUrls.of({
        providers: Effect.map(Effect.flatMap(CurrentRealm, active), ({ items }) => items),
        list,
        get
      })
    })
  )
}
