import type { FastifyRequest } from "fastify"
import { authenticator, optionalSession, permit, requireUnsetSession, type SessionOptions } from "./Authenticate.ts"
import type { FastifyHook } from "./FastifyHook.ts"
import { requireLogin } from "./FastifyLogin.ts"
import { partsOf } from "./FastifyRequestParts.ts"
import type { Session } from "./Session.ts"

export { type SessionOptions, sessionOf } from "./Authenticate.ts"
export { requireAccessToken } from "./FastifyAccess.ts"
export type { FastifyHook } from "./FastifyHook.ts"
export { type FastifyLogin, hostedLogin, refreshSession } from "./FastifyLogin.ts"
export { receiveWebhooks } from "./FastifyWebhooks.ts"
export {
  type HostedLoginOptions,
  LoginMisconfigured,
  type LoginOptions,
  type LoginPaths,
  type LoginSettings,
  type OpenIdLoginOptions
} from "./login/LoginOptions.ts"
export type { Session, SessionOrg } from "./Session.ts"
export type { ReceiverOptions, WebhookHandlers, WebhookMessage } from "./WebhookReceiver.ts"

declare module "fastify" {
  interface FastifyRequest {
    /**
     * The session of the request, set by `hostedLogin`, `requireSession` or `readSession`. Except with `requireSession`,
     * it is null if nobody is logged in.
     */
    session?: Session | null
  }
}

type Decision = ReturnType<typeof optionalSession>

/** Continues with a session, or rejects the request. */
const deciding =
  (decide: (request: FastifyRequest) => Promise<Decision>): FastifyHook =>
  async (request, reply) => {
    requireUnsetSession(request.session)
    const { session, refusal } = await decide(request)
    if (refusal !== undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
    request.session = session
  }

/**
 * Allows only requests with a valid login token, and sets `request.session`. Other requests get 401. Responds with 403 if
 * the user doesn't belong to the org, and with 503 if the realm's keys can't be fetched.
 *
 *     app.addHook("onRequest", requireSession({ issuer: "https://id.example.com/realms/rl_…" }))
 *
 * Without options, it uses the session that `hostedLogin` has read, and redirects pages to the login.
 */
export const requireSession = (options?: SessionOptions): FastifyHook => {
  if (options === undefined) return requireLogin
  const authenticate = authenticator(options)
  return deciding((request) => authenticate(partsOf(request)))
}

/** Like `requireSession`, for pages that anyone may see. `request.session` is null for requests without a valid token. */
export const readSession = (options: SessionOptions): FastifyHook => {
  const authenticate = authenticator(options)
  return deciding(async (request) => optionalSession(await authenticate(partsOf(request))))
}

/**
 * Allows only sessions with all of these permissions in the request's org; responds with 403 to others. Use it after
 * `requireSession`. Tokens contain permissions if the realm's `jwt_scopes` includes `ar.orgs`.
 *
 *     app.get("/bills", { preHandler: requirePermission("billing:read") }, handler)
 */
export const requirePermission = (...permissions: ReadonlyArray<string>): FastifyHook =>
  deciding(async (request) => permit(request.session, partsOf(request), permissions))
