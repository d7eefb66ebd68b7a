import { Context, Layer } from "effect"
import type { EventType } from "#domain/Event"
import type { RealmId } from "#domain/Ids"

/** The page of a realm that the link in a mail leads to, by the beginning of its event's type. */
const pages: ReadonlyArray<readonly [prefix: string, page: string]> = [
  ["invitation.", "invitation"],
  ["user.email.", "verify"],
  ["user.password.", "reset"]
]

/** Where the links in mails lead (decision 38). */
export class MailLinks extends Context.Service<
  MailLinks,
  {
    /** The page where a mail's token is used; without one, the service itself. */
    urlOf(realmId: RealmId, eventType: EventType, token: string | null): string
    /** The host that Message-IDs name. */
    readonly host: string
  }
>()("sallyport/core/MailLinks") {
  static readonly layer = (publicUrl: string) =>
    Layer.succeed(
      MailLinks,
      MailLinks.of({
        urlOf: (realmId, eventType, token) => {
          const page = pages.find(([prefix]) => eventType.startsWith(prefix))?.[1]
          if (page === undefined || token === null) return publicUrl
          return `${publicUrl}/realms/${realmId}/${page}?token=${encodeURIComponent(token)}`
        },
        host: new URL(publicUrl).hostname
      })
    )
}
