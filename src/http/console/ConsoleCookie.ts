import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { publicPathOf } from "#domain/PublicPath"
import { CONSOLE } from "../ConsolePaths.ts"

const NAME = "console_session"

/** The cookie that holds the secret of a session of the console. */
export interface ConsoleCookie {
  /** The secret that a browser sent. */
  read(request: HttpServerRequest.HttpServerRequest): string | undefined
  write(
    secret: string,
    seconds: number
  ): (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
  readonly clear: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/**
 * The cookie of a service at this URL. Scripts cannot read it, no request of another site carries it, and with TLS no other
 * host can set it: that takes the name `__Host-` and with it the path `/`.
 */
export const consoleCookie = (publicUrl: string): ConsoleCookie => {
  const at = publicUrl.startsWith("https:")
    ? { name: `__Host-${NAME}`, path: "/", secure: true }
    : { name: NAME, path: publicPathOf(publicUrl) + CONSOLE, secure: false }
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
