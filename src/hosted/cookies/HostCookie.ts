import type { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** A request, and the origin of the pages it is for. */
export interface AtOrigin {
  readonly http: HttpRequest
  readonly origin: string
}

/**
 * A cookie of one host. Scripts cannot read it and no other host receives it; browsers send it with links from other sites,
 * and with nothing that other sites post or embed. `plainPath`: its path where pages have no TLS.
 */
export const hostCookie = (name: string, plainPath = "/") => {
  const at = (origin: string) =>
    origin.startsWith("https:")
      ? { name: `__Host-${name}`, path: "/", secure: true }
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
