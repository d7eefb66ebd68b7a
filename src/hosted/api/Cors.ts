import type { ConnectedApp } from "#domain/ConnectedApp"

const originOf = (url: string | null): string | undefined => {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  return origin === "null" ? undefined : origin
}

/** Whether pages of an origin may talk to an app: those of its handlers, redirect URIs and domains (decision 42, SEC-34). */
export const isOriginOf = (app: ConnectedApp, own: string, origin: string): boolean =>
  [own, ...[app.loginHandler, app.signupHandler, ...app.redirectUris].map(originOf)].includes(origin)

/** Whether the browser says that another site's page posts, though it names no origin (SEC-35). */
export const isFromElsewhere = (site: string | undefined): boolean => site === "cross-site" || site === "same-site"

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
