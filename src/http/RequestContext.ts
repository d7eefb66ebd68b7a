import { Context } from "effect"
import { acceptedLanguages, catalogueFor } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"

/** The facts of one request that its response, its log line and its metrics need. */
export interface RequestContext {
  readonly requestId: string
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string | undefined
  /** The default locale of the realm, once the realm is known. */
  realmLocale: string | undefined
  /** The template of the matched route, once a route has matched. */
  route: string | undefined
  /** Whether the request waits for something to happen, so that a slow response is not logged. */
  waits: boolean
}

/** The context of the current request. The default is for work that no request started. */
export const CurrentRequestContext = Context.Reference<RequestContext>("sallyport/http/CurrentRequestContext", {
  defaultValue: () => ({
    requestId: "",
    acceptLanguage: undefined,
    realmLocale: undefined,
    route: undefined,
    waits: false
  })
})

/** The catalogue of messages to respond in: by `Accept-Language`, then the realm's locale, then English (C10). */
export const catalogueOf = (context: RequestContext): Catalogue =>
  catalogueFor([
    ...acceptedLanguages(context.acceptLanguage),
    ...(context.realmLocale === undefined ? [] : [context.realmLocale])
  ])
