import type { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** A request, and the origin of the pages it is for. */
export interface AtOrigin {
  readonly http: HttpRequest
  readonly origin: string
}

/** Begins the names of cookies under https, so that browsers let no other host set them. */
const SECURE_PREFIX = "__Host-"

const isSecure = (origin: string): boolean => origin.startsWith("https:")

/** The names of the cookies of this host that a browser sent and that begin so, in the order in which they were sent. */
export const hostCookieNames = ({ http, origin }: AtOrigin, start: string): ReadonlyArray<string> => {
  const prefix = isSecure(origin) ? SECURE_PREFIX : ""
  return Object.keys(http.cookies)
    .filter((name) => name.startsWith(prefix + start))
    .map((name) => name.slice(prefix.length))
}

/**
 * A cookie of one host. Scripts cannot read it and no other host receives it; browsers send it with links from other sites,
 * and with nothing that other sites post or embed. `plainPath`: its path where pages have no TLS.
 */
export const hostCookie = (name: string, plainPath = "/") => {
  const at = (origin: string) =>
    isSecure(origin)
      ? { name: `${SECURE_PREFIX}${name}`, path: "/", secure: true }
      : { name, path: plainPath, secure: false }
  return {
    /** The value that a browser sent. */
    read: ({ http, origin }: AtOrigin): string | undefined => http.cookies[at(origin).name],
    /** Sets the cookie; a `maxAge` of 0 deletes it. */
    write:
      (origin: string, value: string, maxAge: Duration.Input) =>
      (response: HttpResponse): HttpResponse => {
        const { name: full, path, secure } = at(origin)
        const options = { path, secure, maxAge, httpOnly: true, sameSite: "lax" } as const
        return HttpServerResponse.setCookieUnsafe(response, full, value, options)
      }
  }
}
