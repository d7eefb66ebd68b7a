import type { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostCookieName } from "#domain/HostCookieName"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** A request and the origin of its pages. */
export interface RequestAtOrigin {
  readonly http: HttpRequest
  readonly origin: string
}

const isSecure = (origin: string): boolean => origin.startsWith("https:")

/** Returns the names of this host's cookies that start with `start`, in the order in which the browser sent them. */
export const hostCookieNames = ({ http, origin }: RequestAtOrigin, start: string): ReadonlyArray<string> => {
  const prefix = hostCookieName(origin, "")
  return Object.keys(http.cookies)
    .filter((name) => name.startsWith(prefix + start))
    .map((name) => name.slice(prefix.length))
}

/**
 * A cookie for a single host. Scripts can't read it, and browsers don't send it to other hosts. Browsers send it when a user
 * follows a link from another site, but not with requests that other sites post or embed. `plainPath` is the cookie's path if
 * the pages don't use TLS.
 */
export const hostCookie = (name: string, plainPath = "/") => {
  const at = (origin: string) =>
    isSecure(origin)
      ? { name: hostCookieName(origin, name), path: "/", secure: true }
      : { name: hostCookieName(origin, name), path: plainPath, secure: false }
  return {
    /** Returns the value of the cookie in a request. */
    read: ({ http, origin }: RequestAtOrigin): string | undefined => http.cookies[at(origin).name],
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
