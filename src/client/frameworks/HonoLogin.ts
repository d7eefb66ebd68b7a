import type { Context, MiddlewareHandler } from "hono"
import type { MaybeSessionEnv, SessionEnv } from "./HonoEnv.ts"
import { partsOf } from "./HonoRequestParts.ts"
import { loginOf, refreshError, setLogin } from "./LoginOfRequest.ts"
import { answerResponse } from "./login/LoginAnswer.ts"
import { type LoginFlow, loginFlow } from "./login/LoginFlow.ts"
import type { LoginOptions } from "./login/LoginOptions.ts"
import type { LoginRequest } from "./login/LoginRequest.ts"
import { refusalResponse } from "./Refusal.ts"
import type { Session } from "./Session.ts"
import { mergedCookies, setCookiesIn } from "./SetCookies.ts"

/** The login as middleware. */
export interface HonoLogin extends MiddlewareHandler<MaybeSessionEnv>, Pick<LoginFlow, "ready"> {}

const loginRequest = (context: Context): LoginRequest => {
  const { pathname, search } = new URL(context.req.url)
  return { ...partsOf(context), url: pathname + search }
}

/** The cookies to set, by request. They are set after the handler, which may have refreshed the session again. */
const pending = new WeakMap<Request, ReadonlyArray<string>>()

const setPending = ({ req }: Context, cookies: ReadonlyArray<string>): void =>
  void pending.set(req.raw, mergedCookies(pending.get(req.raw) ?? [], cookies))

/** Sets the cookies of a request in its response, whose headers may be immutable. */
const setCookies = (context: Context): void => {
  const cookies = pending.get(context.req.raw) ?? []
  if (cookies.length === 0) return
  context.header("cache-control", "no-store")
  setCookiesIn(context.res.headers, cookies)
}

/**
 * Logs users in: serves `/login`, `/signup`, `/callback` and `/logout`, stores the session in a cookie, keeps its token up
 * to date, and sets `session` in the context, which is null if nobody is logged in. Use it before the routes that read the
 * session.
 *
 *     app.use(hostedLogin({ url: "https://id.example.com", key: process.env.SALLYPORT_KEY, app: "lpl_…" }))
 *     app.get("/account", requireSession(), (c) => c.json(c.get("session").user))
 *
 * Throws if an option is missing or invalid. Logs a message if the service rejects the key or the app; `ready()` then
 * rejects with the same message.
 */
export const hostedLogin = (options: LoginOptions): HonoLogin => {
  const login = loginFlow(options)
  const handler: MiddlewareHandler<MaybeSessionEnv> = async (context, next) => {
    const decided = await login.handle(loginRequest(context))
    if (decided.answer !== undefined) return answerResponse(decided.answer)
    setLogin(context.req.raw, login)
    context.set("session", decided.session)
    setPending(context, decided.cookies)
    await next()
    setCookies(context)
    return undefined
  }
  return Object.assign(handler, { ready: login.ready })
}

/** Allows only requests whose session `hostedLogin` has read. Pages redirect others to the login. */
export const requireLogin: MiddlewareHandler<SessionEnv> = async (context, next) => {
  const login = loginOf(context.req.raw, "requireSession")
  const decided = login.require(context.get("session"), loginRequest(context))
  if ("answer" in decided) return answerResponse(decided.answer)
  if (decided.refusal !== undefined) return refusalResponse(decided.refusal)
  context.set("session", decided.session)
  await next()
  return undefined
}

/**
 * Gets a new token for the session and updates `session` in the context, such as after the app has changed the user's
 * permissions. Null if the session has ended.
 */
export const refreshSession = async (context: Context): Promise<Session | null> => {
  const decided = await loginOf(context.req.raw, "refreshSession").refresh(loginRequest(context))
  if (decided.answer !== undefined) throw refreshError()
  setPending(context, decided.cookies)
  context.set("session", decided.session)
  return decided.session
}
