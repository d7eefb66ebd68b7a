import { acceptedLanguages, catalogueFor } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"
import type { RequestContext } from "#platform/RequestContext"

/** Returns the message catalogue for a response. `Accept-Language` comes first, then the realm's locale, then English (C10). */
export const catalogueOf = (context: RequestContext): Catalogue =>
  catalogueFor([
    ...acceptedLanguages(context.acceptLanguage),
    ...(context.realmLocale === undefined ? [] : [context.realmLocale])
  ])
