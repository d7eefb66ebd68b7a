import { requireUnsetSession } from "./Authenticate.ts"
import type { ExpressHandler, ExpressRequest, ExpressResponse } from "./ExpressHandler.ts"
import { partsOf, refuse } from "./ExpressRequestParts.ts"
import { loginOf, refreshError, setLogin } from "./LoginOfRequest.ts"
import type { LoginAnswer } from "./login/LoginAnswer.ts"
import { type LoginFlow, loginFlow } from "./login/LoginFlow.ts"
import type { LoginOptions } from "./login/LoginOptions.ts"
import type { LoginRequest } from "./login/LoginRequest.ts"
import { neverCached } from "./NeverCached.ts"
import type { Session } from "./Session.ts"
import { mergedCookies } from "./SetCookies.ts"

/** The login as a handler. */
export interface ExpressLogin extends ExpressHandler, Pick<LoginFlow, "ready"> {}

const loginRequest = (request: ExpressRequest): LoginRequest => ({
  ...partsOf(request),
  // Express routers remove their mount path from `url`.
  url: String(Reflect.get(request, "originalUrl") ?? Reflect.get(request, "url"))
})

const send = (response: ExpressResponse, { status, headers, cookies, body }: LoginAnswer): void => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  setCookies(response, cookies)
  response.end(body)
}

const setCookies = (response: ExpressResponse, cookies: ReadonlyArray<string>): void => {
  if (cookies.length === 0) return
  const earlier = response.getHeader("set-cookie") ?? []
  response.removeHeader("set-cookie")
  response.appendHeader("set-cookie", mergedCookies([earlier].flat().map(String), cookies))
  neverCached(response)
}

/**
 * Logs users in: serves `/login`, `/signup`, `/callback` and `/logout`, stores the session in a cookie, keeps its token up
 * to date, and sets `request.session`, which is null if nobody is logged in. Use it before the routes that read the session.
 *
 *     app.use(hostedLogin({ url: "https://id.example.com", key: process.env.SALLYPORT_KEY, app: "lpl_…" }))
 *     app.get("/account", requireSession(), (request, response) => response.send(sessionOf(request).user.name))
 *
 * Throws if an option is missing or invalid. Logs a message if the service rejects the key or the app; `ready()` then
 * rejects with the same message.
 */
export const hostedLogin = (options: LoginOptions): ExpressLogin => {
  const login = loginFlow(options)
  const handler: ExpressHandler = (request, response, next) => {
    const decision = async () => {
      requireUnsetSession(request.session)
      return login.handle(loginRequest(request))
    }
    decision().then((decided) => {
      if (decided.answer !== undefined) return send(response, decided.answer)
      setCookies(response, decided.cookies)
      setLogin(request, login)
      request.session = decided.session
      next()
    }, next)
  }
  return Object.assign(handler, { ready: login.ready })
}

/** Allows only requests whose session `hostedLogin` has read. Pages redirect others to the login. */
export const requireLogin: ExpressHandler = (request, response, next) => {
  const decision = async () => loginOf(request, "requireSession").require(request.session, loginRequest(request))
  decision().then((decided) => {
    if ("answer" in decided) return send(response, decided.answer)
    if (decided.refusal !== undefined) return refuse(response, decided.refusal)
    request.session = decided.session
    next()
  }, next)
}

/**
 * Gets a new token for the session and updates `request.session`, such as after the app has changed the user's permissions.
 * Null if the session has ended.
 */
export const refreshSession = async (request: ExpressRequest, response: ExpressResponse): Promise<Session | null> => {
  const decided = await loginOf(request, "refreshSession").refresh(loginRequest(request))
  if (decided.answer !== undefined) throw refreshError()
  setCookies(response, decided.cookies)
  request.session = decided.session
  return decided.session
}
