import { Context, Effect, Layer } from "effect"
import { isExternal } from "#domain/AuthProvider"
import type { EventType } from "#domain/Event"
import type { AuthProviderId, RealmId } from "#domain/Ids"
import { LoginDomains } from "#platform/LoginDomains"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { ConnectedAppsRepo } from "#store/ConnectedAppsRepo"

/** The page of a realm that the link in a mail leads to, by the beginning of its event's type. */
const pages: ReadonlyArray<readonly [prefix: string, page: string]> = [
  ["invitation.", "invitation"],
  ["user.email.", "verify"],
  ["user.password.", "reset"]
]

/** What a mail is about. */
export interface Linked {
  readonly realmId: RealmId
  readonly eventType: EventType
  readonly token: string | null
  /** The provider that an invitation names. */
  readonly authProviderId: AuthProviderId | null
}

/** Where the links in mails lead (decision 38). */
export class MailLinks extends Context.Service<
  MailLinks,
  {
    /**
     * The page where a mail's token is used, on the host of the realm's oldest active app, else of the realm as such
     * (decision 38); without a token, the service itself. An invitation that names a provider leads to its login (40a).
     */
    urlOf(linked: Linked): Effect.Effect<string>
    /** Where somebody begins who wants a new password: on the host of the realm's oldest active app, else the service itself. */
    forgotOf(realmId: RealmId): Effect.Effect<string>
    /** The host that Message-IDs name. */
    readonly host: string
  }
>()("sallyport/core/MailLinks") {
  static readonly layer = (publicUrl: string) =>
    Layer.effect(
      MailLinks,
      Effect.gen(function* () {
        const apps = yield* ConnectedAppsRepo
        const providers = yield* AuthProvidersRepo
        const domains = yield* LoginDomains

        const loginOf = Effect.fnUntraced(function* ({ realmId, authProviderId }: Linked, origin: string) {
          const provider = authProviderId === null ? undefined : yield* providers.find(realmId, authProviderId)
          if (provider?.state !== "active" || !isExternal(provider)) return undefined
          return `${origin}/auth/${provider.id}`
        })

        const urlOf = Effect.fn("MailLinks.urlOf")(function* (linked: Linked) {
          const { realmId, eventType, token } = linked
          const page = pages.find(([prefix]) => eventType.startsWith(prefix))?.[1]
          if (page === undefined || token === null) return publicUrl
          const app = yield* apps.findOldestActive(realmId)
          const query = `token=${encodeURIComponent(token)}`
          if (app === undefined) return `${publicUrl}/realms/${realmId}/${page}?${query}`
          const origin = domains.origin(app.subdomain)
          const login = page === "invitation" ? yield* loginOf(linked, origin) : undefined
          return login === undefined ? `${origin}/${page}?${query}` : `${login}?invitation=${encodeURIComponent(token)}`
        })

        const forgotOf = Effect.fn("MailLinks.forgotOf")(function* (realmId: RealmId) {
          const app = yield* apps.findOldestActive(realmId)
          return app === undefined ? publicUrl : `${domains.origin(app.subdomain)}/forgot`
        })

        return MailLinks.of({ urlOf, forgotOf, host: new URL(publicUrl).hostname })
      })
    )
}
