import type { ConnectedApp } from "#domain/ConnectedApp"

const originOf = (url: string | null): string | undefined => {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  return origin === "null" ? undefined : origin
}

/** Whether pages of an origin may talk to an app: those of its handlers, redirect URIs and domains (decision 42, SEC-34). */
const isOriginOf = (app: ConnectedApp, own: string, origin: string): boolean =>
  [own, ...[app.loginHandler, app.signupHandler, ...app.redirectUris].map(originOf)].includes(origin)

/** What a browser says of where a request comes from. */
interface Whence {
  readonly origin: string | undefined
  readonly referer: string | undefined
  readonly site: string | undefined
  readonly reads: boolean
}

/**
 * Whether a request comes from a page that is none of an app's. Who names no origin is asked no more, unless the browser says
 * that it is another site's page: such a page may post nothing (SEC-35), and load as a script only where `Referer` names a
 * page of the app's, so that no site has its visitors guess passwords (SEC-98).
 */
export const isForeignTo = (app: ConnectedApp, own: string, { origin, referer, site, reads }: Whence): boolean => {
  if (origin !== undefined) return !isOriginOf(app, own, origin)
  if (site === "same-origin" || site === "none") return false
  // Old browsers, and hosts without TLS, say nothing of the site; callers that are no browsers nothing at all.
  if (site === undefined && (!reads || referer === undefined)) return false
  const page = reads ? originOf(referer ?? null) : undefined
  return page === undefined || !isOriginOf(app, own, page)
}

/**
 * What lets the pages of an origin read an answer. Cookies count only where a session begins or ends, and never for other
 * origins than the app's own.
 */
export const corsHeaders = (origin: string | undefined, takesCookies: boolean): Readonly<Record<string, string>> => ({
  vary: "origin, accept-language",
  ...(origin === undefined ? {} : { "access-control-allow-origin": origin }),
  ...(origin === undefined || !takesCookies ? {} : { "access-control-allow-credentials": "true" })
})

/** What a browser wants to know before it sends JSON. */
export const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, accept-language, x-request-id",
  "access-control-max-age": "600"
}
