import { Context, Effect, Layer } from "effect"
import { isExternal } from "#domain/AuthProvider"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { EventType } from "#domain/Event"
import { appPagePath, type LinkPageName, realmPagePath, socialPath } from "#domain/HostedPaths"
import type { AppId, AuthProviderId, RealmId } from "#domain/Ids"
import { LoginDomains } from "#platform/LoginDomains"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"

/** The hosted page to which an email links, by the prefix of the event type. */
const pages: ReadonlyArray<readonly [prefix: string, page: LinkPageName]> = [
  ["invitation.", "invitation"],
  ["user.email.", "verify"],
  ["user.email_code.", "code"],
  ["user.deletion.", "deletion"],
  ["user.password.", "reset"],
  ["operator.", "invitation"]
]

/** The event for which an email is sent. */
export interface LinkTarget {
  readonly realmId: RealmId
  readonly eventType: EventType
  readonly token: string | null
  /** The auth provider of an invitation. */
  readonly authProviderId: AuthProviderId | null
  /** The app of an invitation, or the app on whose pages the user requested the email. */
  readonly appId: AppId | null
}

/** The link in an email, and the app whose look the email has. If the link leads to a page of an app, it is that app. */
export interface MailLink {
  readonly url: string
  readonly app: ConnectedApp | undefined
}

/** Builds the links in emails (C38). */
export class MailLinks extends Context.Service<
  MailLinks,
  {
    /**
     * Returns the link to the hosted page where an email's token is used. The link is on the host of the target's app if it is
     * active (C90), or else of the realm's oldest active app, or else at the public URL (C38). Without a token, the link is
     * the public URL. For an invitation with an auth provider, it is the provider's login (C40a).
     */
    linkOf(target: LinkTarget): Effect.Effect<MailLink>
    /**
     * Returns the page to reset a password, on the host of the realm's oldest active app. Without an app, it is the public
     * URL.
     */
    forgotPasswordLink(realmId: RealmId): Effect.Effect<MailLink>
    /** The host name in Message-IDs. */
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

        const loginOf = Effect.fnUntraced(function* ({ realmId, authProviderId }: LinkTarget, origin: string) {
          const provider = authProviderId === null ? undefined : yield* providers.find(realmId, authProviderId)
          if (provider?.state !== "active" || !isExternal(provider)) return undefined
          return `${origin}${socialPath("start", provider.id)}`
        })

        const appOf = Effect.fnUntraced(function* ({ realmId, appId }: LinkTarget) {
          const named = appId === null ? undefined : yield* apps.find(realmId, appId)
          return named?.state === "active" ? named : yield* apps.findOldestActive(realmId)
        })

        const linkOf = Effect.fn("MailLinks.linkOf")(function* (target: LinkTarget): Effect.fn.Return<MailLink> {
          const { realmId, eventType, token } = target
          const page = pages.find(([prefix]) => eventType.startsWith(prefix))?.[1]
          const app = yield* appOf(target)
          if (page === undefined || token === null) return { url: publicUrl, app }
          const query = `token=${encodeURIComponent(token)}`
          if (app === undefined) return { url: `${publicUrl}${realmPagePath(realmId, page)}?${query}`, app }
          const origin = domains.origin(app.subdomain)
          const login = page === "invitation" ? yield* loginOf(target, origin) : undefined
          const url =
            login === undefined
              ? `${domains.pages(app.subdomain)}${appPagePath(page)}?${query}`
              : `${login}?invitation=${encodeURIComponent(token)}`
          return { url, app }
        })

        const forgotPasswordLink = Effect.fn("MailLinks.forgotPasswordLink")(function* (realmId: RealmId) {
          const app = yield* apps.findOldestActive(realmId)
          const url = app === undefined ? publicUrl : `${domains.pages(app.subdomain)}${appPagePath("forgot")}`
          return { url, app }
        })

        return MailLinks.of({ linkOf, forgotPasswordLink, host: new URL(publicUrl).hostname })
      })
    )
}
