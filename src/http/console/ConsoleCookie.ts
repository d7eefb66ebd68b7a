import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { CONSOLE_COOKIE, hostCookieName } from "#domain/HostCookieName"
import { publicPathOf } from "#domain/PublicPath"
import { CONSOLE } from "../ConsolePaths.ts"

/** The cookie that contains the secret of a console session. */
export interface ConsoleCookie {
  /** Returns the secret sent by the browser. */
  read(request: HttpServerRequest.HttpServerRequest): string | undefined
  write(
    secret: string,
    seconds: number
  ): (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
  readonly clear: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/**
 * The session cookie of a service at this URL. Scripts can't read it, and browsers don't send it with requests from other
 * sites. With TLS, the prefix `__Host-`, which requires the path `/`, prevents other hosts from setting it.
 */
export const consoleCookie = (publicUrl: string): ConsoleCookie => {
  const at = publicUrl.startsWith("https:")
    ? { name: hostCookieName(publicUrl, CONSOLE_COOKIE), path: "/", secure: true }
    : { name: CONSOLE_COOKIE, path: publicPathOf(publicUrl) + CONSOLE, secure: false }
  const write = (secret: string, seconds: number) => (response: HttpServerResponse.HttpServerResponse) =>
    HttpServerResponse.setCookieUnsafe(response, at.name, secret, {
      path: at.path,
      secure: at.secure,
      maxAge: Duration.seconds(seconds),
      httpOnly: true,
      sameSite: "strict"
    })
  return { read: ({ cookies }) => cookies[at.name], write, clear: write("", 0) }
}
