import { randomKey } from "../../Randomness.ts"
import { isForeign } from "../Authenticate.ts"
import { type LoginAction, type LoginAnswer, page, redirect } from "./LoginAnswer.ts"
import { type LoginCookies, type StartedLogin, secondsUntil } from "./LoginCookies.ts"
import type { LoginPage, LoginProvider } from "./LoginProvider.ts"
import { browserOrigin, type LoginRequest } from "./LoginRequest.ts"
import type { Report } from "./Reports.ts"
import { returnPath } from "./ReturnPath.ts"

/** The pages of the app that the login continues at. */
export interface NextPages {
  readonly afterLogin: string
  readonly afterSignup: string | undefined
  readonly afterLogout: string
}

/** What the routes of a login use. */
export interface RouteParts {
  readonly provider: LoginProvider
  readonly cookies: LoginCookies
  readonly pages: NextPages
  /** The time in Unix milliseconds. */
  readonly time: () => number
  readonly report: Report
  /** Forgets the refreshed token of a session cookie. */
  readonly forget: (cookie: string) => void
}

/** The reasons why a login fails, with the status and sentence of their page. */
const problems: Readonly<Record<string, readonly [number, string]>> = {
  state: [403, "This login was not started in this browser, took too long, or is already completed. Log in again."],
  token: [403, "This login is not valid. Log in again."],
  denied: [403, "You're not logged in, because the login was not completed."],
  too_large: [500, "You're not logged in, because the data about you doesn't fit into a cookie."],
  unavailable: [503, "The login service can't be reached at the moment. Try again in a moment."]
}

/** Responds to the requests of a login. Returns undefined for all others. */
export type LoginRoutes = (
  path: string,
  query: URLSearchParams,
  request: LoginRequest
) => Promise<LoginAnswer | undefined>

/** The advice for tokens that don't fit into the cookies. */
export const tooLarge = ({ maxTokenBytes }: LoginProvider): string =>
  `The token is too large for cookies. Set the realm's jwt_max_bytes to at most ${maxTokenBytes}.`

/** Creates the routes of a login. */
export const loginRoutes = ({ provider, cookies, pages, time, report, forget }: RouteParts): LoginRoutes => {
  const { origin, paths } = provider
  const logIn: LoginAction = { label: "Log in", href: paths.login }
  const logOut: LoginAction = { label: "Log out", post: paths.logout }
  const own: ReadonlyArray<string> = Object.values(paths)
  const failed = (problem: string, set: ReadonlyArray<string> = []) =>
    // The callback's URL contains a token, so the page that explains the problem has another.
    redirect(`${paths.callback}?problem=${problem}`, set)
  let isHinted = false

  const begin = async (which: LoginPage, query: URLSearchParams, request: LoginRequest): Promise<LoginAnswer> => {
    const opened = browserOrigin(request)
    if (opened !== undefined && opened !== origin) {
      const advice = `Open it there, or set \`publicUrl\` to the origin that browsers use.`
      report(`The browser is at ${opened}, but logins return to ${origin}. ${advice}`, "origin")
      return page(500, "Wrong address", `You opened this app at ${opened}, but logins return to ${origin}.`, {
        label: `Continue at ${origin}`,
        href: origin
      })
    }
    const asked = returnPath(query.get("return_to"), origin)
    const returnTo = asked === undefined || own.includes(asked.split(/[?#]/, 1).join()) ? "" : asked
    const state = randomKey()
    const { url, ...secrets } = await provider.begin(which, state, query)
    return redirect(url, cookies.start(request.header("cookie"), { state, at: time(), returnTo, ...secrets }))
  }

  const isLoggedIn = async (request: LoginRequest): Promise<boolean> => {
    const value = cookies.session(request.header("cookie"))
    return value !== undefined && (await provider.read(value)) !== null
  }

  /** A login returns that this browser hasn't started, or has completed before. */
  const unknown = async (request: LoginRequest): Promise<LoginAnswer> => {
    const header = request.header("cookie")
    // The user pressed Back: the browser requests the callback of a completed login again.
    if (await isLoggedIn(request)) return redirect(pages.afterLogin)
    const host = request.header("host")
    if (!cookies.hasStarted(header) && !isHinted && host !== undefined && host !== new URL(origin).host) {
      isHinted = true
      const advice = "If this happens at every login, set `publicUrl` to the origin that browsers use."
      report(
        `A login returned to ${origin} without the cookie of its start, at the host ${host.slice(0, 100)}. ${advice}`,
        "host"
      )
    }
    return failed("state")
  }

  const nextPage = ({ returnTo }: StartedLogin, isNew: boolean): string => {
    if (isNew && pages.afterSignup !== undefined) return pages.afterSignup
    // The cookie may have been written by another program on this host.
    return returnPath(returnTo, origin) ?? pages.afterLogin
  }

  const complete = async (query: URLSearchParams, request: LoginRequest): Promise<LoginAnswer> => {
    const header = request.header("cookie")
    const state = query.get("state")
    const hasResult = query.has(provider.result) || query.has("error")
    const problem = query.get("problem") ?? ""
    const [status, sentence] = (Object.hasOwn(problems, problem) ? problems[problem] : undefined) ?? []
    if (!hasResult && status !== undefined && sentence !== undefined)
      return page(status, "Not logged in", sentence, logIn, status === 503 ? { "retry-after": "5" } : {})
    // Users who followed a link in an email have a token, but no state. Their login starts here, in this browser. A link
    // on another site must not replace the session of a user who is logged in.
    if (!hasResult || state === null) return redirect((await isLoggedIn(request)) ? pages.afterLogin : paths.login)
    const started = cookies.started(header, state, time())
    if (started === undefined) return unknown(request)
    const finished = cookies.finish(state)
    if (query.has("error")) return failed("denied", [finished])
    try {
      const established = await provider.complete(query, started)
      if (established === undefined) return failed("token", [finished])
      const set = cookies.setSession(header, established.value, secondsUntil(established.expiresAt, time()))
      if (set !== undefined) return redirect(nextPage(started, query.get("signup") === "true"), [...set, finished])
      report(tooLarge(provider))
      return failed("too_large", [finished])
    } catch (error) {
      report(error)
      return failed("unavailable", [finished])
    }
  }

  const end = async (request: LoginRequest): Promise<LoginAnswer> => {
    if (isForeign(request, origin)) return page(403, "Not logged out", "This request came from another site.", logOut)
    const header = request.header("cookie")
    const value = cookies.session(header)
    try {
      const to = await provider.end(value, origin + pages.afterLogout)
      if (value !== undefined) forget(value)
      return redirect(to ?? pages.afterLogout, cookies.clearSession(header))
    } catch (error) {
      report(error)
      const sentence = "You're still logged in, because the login service can't be reached. Try again in a moment."
      return page(503, "Not logged out", sentence, logOut, { "retry-after": "5" })
    }
  }

  const wrongMethod = (allow: string, action: LoginAction) =>
    page(405, "Not possible", "This page doesn't accept such requests.", action, { allow })

  return async (path, query, request) => {
    const isRead = request.method === "GET" || request.method === "HEAD"
    const isPost = request.method === "POST"
    for (const which of ["login", "signup"] as const)
      if (path === paths[which])
        return isRead || isPost ? begin(which, query, request) : wrongMethod("GET, HEAD, POST", logIn)
    if (path === paths.callback) return isRead ? complete(query, request) : wrongMethod("GET, HEAD", logIn)
    if (path !== paths.logout) return undefined
    if (isPost) return end(request)
    if (!isRead) return wrongMethod("GET, HEAD, POST", logOut)
    return page(200, "Log out?", "You'll be logged out of this app.", logOut)
  }
}
