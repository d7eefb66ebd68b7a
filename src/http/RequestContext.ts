import { Context } from "effect"
import { acceptedLanguages, speaking } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"

/** What is known of one request beside what it asks: its id, and in which language to answer. */
export interface Exchange {
  readonly requestId: string
  readonly accepts: string | undefined
  /** The realm's own language, once the realm is known. */
  realmLocale: string | undefined
  /** The template of the route that took the request, once one has. */
  route: string | undefined
  /** Whether the answer waits for something to happen: that it takes its time is no news then. */
  waits: boolean
}

/** The request at hand. Set anew for each one; the default stands for work that no request began. */
export const CurrentExchange = Context.Reference<Exchange>("sallyport/http/CurrentExchange", {
  defaultValue: () => ({ requestId: "", accepts: undefined, realmLocale: undefined, route: undefined, waits: false })
})

/** The catalogue to answer in: `Accept-Language`, then the realm's locale, then English (decision 10). */
export const catalogueOf = (exchange: Exchange): Catalogue =>
  speaking([
    ...acceptedLanguages(exchange.accepts),
    ...(exchange.realmLocale === undefined ? [] : [exchange.realmLocale])
  ])
