import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { STATE_MINUTES } from "#domain/ExternalLogin"

/** How many logins a browser may have under way at once: the oldest is forgotten. */
const MOST = 4

const FORM = /^[0-9A-Za-z]{43}$/

/**
 * The cookie by which a browser is known again when a provider sends it back (SEC-36, SEC-60): for this host alone, out of
 * reach of scripts, sent with what a link leads to and with nothing that another site posts or embeds.
 */
const cookieAt = (origin: string) =>
  origin.startsWith("https:")
    ? { name: "__Host-social_login", path: "/", secure: true }
    : { name: "social_login", path: "/auth", secure: false }

/** What a browser has kept since its logins began, the newest last. */
export const keptBy = ({ cookies }: HttpServerRequest.HttpServerRequest, origin: string): ReadonlyArray<string> =>
  (cookies[cookieAt(origin).name] ?? "")
    .split(".")
    .filter((one) => FORM.test(one))
    .slice(-MOST)

/** Has the browser keep this from now on, as long as a login may take; nothing: it forgets. */
export const keeping =
  (origin: string, kept: ReadonlyArray<string>) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    const { name, path, secure } = cookieAt(origin)
    const maxAge = kept.length === 0 ? 0 : (`${STATE_MINUTES} minutes` as const)
    return HttpServerResponse.setCookieUnsafe(response, name, kept.slice(-MOST).join("."), {
      path,
      secure,
      maxAge,
      httpOnly: true,
      sameSite: "lax"
    })
  }
