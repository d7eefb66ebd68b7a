import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { requireUnsetSession } from "./Authenticate.ts"
import type { FastifyHook } from "./FastifyHook.ts"
import { partsOf } from "./FastifyRequestParts.ts"
import { loginOf, refreshError, setLogin } from "./LoginOfRequest.ts"
import type { LoginAnswer } from "./login/LoginAnswer.ts"
import { loginFlow } from "./login/LoginFlow.ts"
import { LoginMisconfigured, type LoginOptions } from "./login/LoginOptions.ts"
import type { LoginRequest } from "./login/LoginRequest.ts"
import { neverCached } from "./NeverCached.ts"
import type { Session } from "./Session.ts"
import { mergedCookies } from "./SetCookies.ts"

/** The login as a plugin. */
export type FastifyLogin = (app: FastifyInstance) => Promise<void>

const loginRequest = (request: FastifyRequest): LoginRequest => ({ ...partsOf(request), url: request.originalUrl })

const setCookies = (reply: FastifyReply, cookies: ReadonlyArray<string>): void => {
  if (cookies.length === 0) return
  const earlier = reply.getHeader("set-cookie") ?? []
  // Fastify adds values of this header instead of replacing them.
  reply.removeHeader("set-cookie")
  reply.header("set-cookie", [...mergedCookies([earlier].flat().map(String), cookies)])
  neverCached(reply.raw)
}

const send = (reply: FastifyReply, { status, headers, cookies, body }: LoginAnswer): FastifyReply => {
  setCookies(reply, cookies)
  return reply
    .code(status)
    .headers({ ...headers })
    .send(body)
}

/**
 * Logs users in: serves `/login`, `/signup`, `/callback` and `/logout`, stores the session in a cookie, keeps its token up
 * to date, and sets `request.session`, which is null if nobody is logged in. Register it before the routes that read the
 * session.
 *
 *     await app.register(hostedLogin({ url: "https://id.example.com", key: process.env.SALLYPORT_KEY, app: "lpl_…" }))
 *     app.get("/account", { onRequest: requireSession() }, async (request) => sessionOf(request).user)
 *
 * Throws if an option is missing or invalid. The app doesn't start if the service rejects the key or the app.
 */
export const hostedLogin = (options: LoginOptions): FastifyLogin => {
  const login = loginFlow(options)
  const plugin: FastifyLogin = async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      requireUnsetSession(request.session)
      const decided = await login.handle(loginRequest(request))
      if (decided.answer !== undefined) return send(reply, decided.answer)
      setCookies(reply, decided.cookies)
      setLogin(request, login)
      request.session = decided.session
      return undefined
    })
    await login.ready().catch((error: unknown) => {
      // The login works as soon as an outage of the service is over.
      if (error instanceof LoginMisconfigured) throw error
    })
  }
  // The hook also applies to routes outside of the plugin, as with `fastify-plugin`.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true })
}

/** Allows only requests whose session `hostedLogin` has read. Pages redirect others to the login. */
export const requireLogin: FastifyHook = async (request, reply) => {
  const decided = loginOf(request, "requireSession").require(request.session, loginRequest(request))
  if ("answer" in decided) return send(reply, decided.answer)
  const { session, refusal } = decided
  if (refusal !== undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
  request.session = session
  return undefined
}

/**
 * Gets a new token for the session and updates `request.session`, such as after the app has changed the user's permissions.
 * Null if the session has ended.
 */
export const refreshSession = async (request: FastifyRequest, reply: FastifyReply): Promise<Session | null> => {
  const decided = await loginOf(request, "refreshSession").refresh(loginRequest(request))
  if (decided.answer !== undefined) throw refreshError()
  setCookies(reply, decided.cookies)
  request.session = decided.session
  return decided.session
}
