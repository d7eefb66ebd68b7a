import { permit } from "./Authenticate.ts"
import { answerResponse } from "./login/LoginAnswer.ts"
import { type LoginFlow, loginFlow } from "./login/LoginFlow.ts"
import type { LoginOptions, LoginPaths } from "./login/LoginOptions.ts"
import type { LoginRequest } from "./login/LoginRequest.ts"
import { partsOf, type RouteContext, type RouteHandler, type RouteParams } from "./NextRoutes.ts"
import { refusalResponse } from "./Refusal.ts"
import type { Session } from "./Session.ts"
import { changedCookies, setCookiesIn } from "./SetCookies.ts"

/** The options of a route handler that requires a login. */
export interface LoginRouteOptions {
  /** The permission or permissions that the session needs in the request's org. Default: none. */
  readonly permission?: string | ReadonlyArray<string>
}

/** The parameter of `NextResponse.next`. Empty if nothing changes. */
export interface RefreshedRequest {
  /** The request that the page sees: its cookie has the new token. */
  readonly request?: { readonly headers: Headers }
  /** The headers of the response, which set the cookies. */
  readonly headers?: Headers
}

/** The login of a Next.js app. */
export interface NextLogin extends Pick<LoginFlow, "ready"> {
  /** Serves the login's paths: `export const { GET, POST } = login.handlers` in `app/auth/[action]/route.ts`. */
  readonly handlers: Readonly<Record<"GET" | "POST", (request: Request) => Promise<Response>>>
  /** Reads the session for a page: `await login.session(await headers())`. Null if nobody is logged in. */
  readonly session: (headers: Pick<Headers, "get">) => Promise<Session | null>
  /**
   * Keeps the session's token up to date, in `proxy.ts` (before Next.js 16, `middleware.ts`). Without it, users stay logged
   * in until their first token expires.
   *
   *     export const proxy = async (request) => NextResponse.next(await login.refresh(request))
   */
  readonly refresh: (request: Request) => Promise<RefreshedRequest>
  /** A route handler for requests with a session. Pages redirect others to the login. */
  readonly withSession: <Params extends RouteParams = RouteParams>(
    handler: (request: Request, context: RouteContext<Params>) => Response | Promise<Response>,
    options?: LoginRouteOptions
  ) => RouteHandler<Params>
  /** The URL that starts a login and returns to a page of the app: `redirect(login.loginUrl("/notes"))`. */
  readonly loginUrl: (returnTo?: string) => string
}

/** The default paths, which one dynamic route can serve. */
const defaultPaths: LoginPaths = {
  login: "/auth/login",
  signup: "/auth/signup",
  callback: "/auth/callback",
  logout: "/auth/logout"
}

const loginRequest = (request: Request, params: object = {}): LoginRequest => {
  const { pathname, search } = new URL(request.url)
  return { ...partsOf(request.method, request.headers, params), url: pathname + search }
}

/** Adds cookies to a response, whose headers may be immutable. */
const withCookies = (response: Response, cookies: ReadonlyArray<string>): Response => {
  if (cookies.length === 0) return response
  const changed = new Response(response.body, response)
  setCookiesIn(changed.headers, cookies)
  return changed
}

/**
 * Logs users in. Its paths start with `/auth`, so the app's `login_handler` is `https://app.example.com/auth/callback`.
 *
 *     // login.ts
 *     export const login = hostedLogin({ url: "https://id.example.com", key: process.env.SALLYPORT_KEY, app: "lpl_…" })
 *     // app/auth/[action]/route.ts
 *     export const { GET, POST } = login.handlers
 *     // app/page.tsx
 *     const session = await login.session(await headers())
 *
 * If an option is missing or invalid, the first request fails, and not the build of the app, which may run without the
 * environment's variables. Logs a message if the service rejects the key or the app; `ready()` then rejects with the same
 * message.
 */
export const hostedLogin = (options: LoginOptions): NextLogin => {
  const paths = { ...defaultPaths, ...options.paths }
  let created: LoginFlow | undefined
  const login = (): LoginFlow => (created ??= loginFlow({ ...options, paths }))
  const serve = async (request: Request): Promise<Response> => {
    const { answer } = await login().handle(loginRequest(request))
    return answer === undefined ? new Response("Not found", { status: 404 }) : answerResponse(answer)
  }
  const { login: loginPath } = paths
  return {
    ready: async () => login().ready(),
    handlers: { GET: serve, POST: serve },
    session: async (headers) => {
      const decided = await login().read({ ...partsOf("GET", headers, {}), url: "/" }, false)
      if (decided.answer !== undefined) throw new Error("We can't check logins right now. Try again in a moment.")
      return decided.session
    },
    refresh: async (request) => {
      const asked = loginRequest(request)
      // The login's own responses set cookies themselves.
      if (login().serves(asked)) return {}
      const decided = await login().read(asked)
      if (decided.answer !== undefined || decided.cookies.length === 0) return {}
      const { cookies } = decided
      const [seen, set] = [new Headers(request.headers), new Headers()]
      seen.set("cookie", changedCookies(seen.get("cookie") ?? "", cookies))
      setCookiesIn(set, cookies)
      return { request: { headers: seen }, headers: set }
    },
    withSession: (handler, { permission = [] } = {}) => {
      const permissions = typeof permission === "string" ? [permission] : permission
      return async (request, context) => {
        const params = await context.params
        const asked = loginRequest(request, params ?? {})
        const read = await login().read(asked)
        if (read.answer !== undefined) return answerResponse(read.answer)
        const decided = login().require(read.session, asked)
        if ("answer" in decided) return withCookies(answerResponse(decided.answer), read.cookies)
        const { session, refusal } =
          decided.refusal === undefined ? permit(decided.session, asked, permissions) : decided
        const response = refusal === undefined ? await handler(request, { session, params }) : refusalResponse(refusal)
        return withCookies(response, read.cookies)
      }
    },
    loginUrl: (returnTo) =>
      returnTo === undefined ? loginPath : `${loginPath}?return_to=${encodeURIComponent(returnTo)}`
  }
}
