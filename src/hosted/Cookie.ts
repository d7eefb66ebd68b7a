import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Kept } from "#core/login/BrowserSessions"

/**
 * The cookie of a browser's session (decision 40): for this host alone, out of reach of scripts, sent with what a link
 * leads to and with nothing that another site posts or embeds.
 */
const cookieAt = (origin: string) =>
  origin.startsWith("https:") ? { name: "__Host-session", secure: true } : { name: "session", secure: false }

/** What a browser keeps of its session, if it has one. */
export const sessionIn = ({ cookies }: HttpServerRequest.HttpServerRequest, origin: string): string | undefined =>
  cookies[cookieAt(origin).name]

const set = (origin: string, value: string, seconds: number) => (response: HttpServerResponse.HttpServerResponse) => {
  const { name, secure } = cookieAt(origin)
  return HttpServerResponse.setCookieUnsafe(response, name, value, {
    path: "/",
    secure,
    maxAge: Duration.seconds(seconds),
    httpOnly: true,
    sameSite: "lax"
  })
}

/** Has the browser keep its session until that ends. */
export const keepingSession = (origin: string, { secret, seconds }: Kept) => set(origin, secret, seconds)

/** Has the browser forget its session. */
export const forgettingSession = (origin: string) => set(origin, "", 0)
