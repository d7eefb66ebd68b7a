import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { KeptBrowser } from "#core/limits/KnownBrowsers"
import type { Kept } from "#core/sessions/BrowserSessions"

/**
 * The cookie of a browser's session (decision 40): for this host alone, out of reach of scripts, sent with what a link
 * leads to and with nothing that another site posts or embeds.
 */
const cookieAt = (origin: string) =>
  origin.startsWith("https:") ? { name: "__Host-session", secure: true } : { name: "session", secure: false }

/** What a browser keeps of its session, if it has one. */
export const sessionIn = ({ cookies }: HttpServerRequest.HttpServerRequest, origin: string): string | undefined =>
  cookies[cookieAt(origin).name]

/** The same of what is kept when the session has ended: who has logged in with this browser (SEC-108). */
const knownAt = (origin: string) =>
  origin.startsWith("https:")
    ? { name: "__Host-known_browser", secure: true }
    : { name: "known_browser", secure: false }

/** By what a browser is known again, the newest last. */
export const knownIn = ({ cookies }: HttpServerRequest.HttpServerRequest, origin: string): ReadonlyArray<string> =>
  (cookies[knownAt(origin).name] ?? "").split(".")

const set =
  ({ name, secure }: ReturnType<typeof cookieAt>, value: string, seconds: number) =>
  (response: HttpServerResponse.HttpServerResponse) =>
    HttpServerResponse.setCookieUnsafe(response, name, value, {
      path: "/",
      secure,
      maxAge: Duration.seconds(seconds),
      httpOnly: true,
      sameSite: "lax"
    })

/** Has the browser keep by what it is known again. */
export const keepingKnown = (origin: string, { secrets, seconds }: KeptBrowser) =>
  set(knownAt(origin), secrets.join("."), seconds)

/** Has the browser keep its session until that ends, and for longer by what it is known again. */
export const keepingSession =
  (origin: string, { secret, seconds, known }: Kept) =>
  (response: HttpServerResponse.HttpServerResponse) =>
    keepingKnown(origin, known)(set(cookieAt(origin), secret, seconds)(response))

/** Has the browser forget its session. */
export const forgettingSession = (origin: string) => set(cookieAt(origin), "", 0)
