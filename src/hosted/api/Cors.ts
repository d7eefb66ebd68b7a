import { originOf, originsOf } from "#domain/AppOrigins"
import type { ConnectedApp } from "#domain/ConnectedApp"

/** The headers that identify the sender of a request, and whether its method is GET or HEAD. */
interface RequestSource {
  readonly origin: string | undefined
  readonly referer: string | undefined
  readonly site: string | undefined
  readonly isRead: boolean
}

/**
 * Returns whether a request comes from a page that does not belong to the app. A request without `Origin` is accepted, unless
 * the browser reports that a page of another site sent it. Pages of other sites can't post (SEC-35). They can load a response
 * as a script only if `Referer` is a page of the app; otherwise any site could make its visitors guess passwords (SEC-98).
 */
export const isFromOtherSite = (
  app: ConnectedApp,
  own: string,
  { origin, referer, site, isRead }: RequestSource
): boolean => {
  if (origin !== undefined) return !originsOf(app, own).includes(origin)
  if (site === "same-origin" || site === "none") return false
  // Old browsers, and pages without TLS, don't send `Sec-Fetch-Site`. Callers that are not browsers send neither header.
  if (site === undefined && (!isRead || referer === undefined)) return false
  const page = isRead ? originOf(referer ?? null) : undefined
  return page === undefined || !originsOf(app, own).includes(page)
}

/**
 * Returns the headers that allow pages of an origin to read the response. If the origin is undefined, no page is allowed.
 * `credentials`: whether the pages can send and receive cookies.
 */
export const corsHeaders = (origin: string | undefined, credentials: boolean): Readonly<Record<string, string>> => ({
  vary: "origin, accept-language",
  ...(origin === undefined ? {} : { "access-control-allow-origin": origin }),
  ...(origin === undefined || !credentials ? {} : { "access-control-allow-credentials": "true" })
})

/** The headers of the response to a preflight request, which browsers send before a JSON request. */
export const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, accept-language, x-request-id",
  "access-control-max-age": "600"
}
