import type { MiddlewareHandler } from "hono"
import { authenticator, optionalSession, permit, type SessionOptions } from "./Authenticate.ts"
import type { MaybeSessionEnv, SessionEnv } from "./HonoEnv.ts"
import { requireLogin } from "./HonoLogin.ts"
import { partsOf } from "./HonoRequestParts.ts"
import { refusalResponse } from "./Refusal.ts"

export type { SessionOptions } from "./Authenticate.ts"
export { type AccessEnv, requireAccessToken } from "./HonoAccess.ts"
export type { MaybeSessionEnv, SessionEnv } from "./HonoEnv.ts"
export { type HonoLogin, hostedLogin, refreshSession } from "./HonoLogin.ts"
export { receiveWebhooks } from "./HonoWebhooks.ts"
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

/**
 * Allows only requests with a valid login token, and sets `session` in the context. Other requests get 401. Responds with
 * 403 if the user doesn't belong to the org, and with 503 if the realm's keys can't be fetched.
 *
 *     app.use(requireSession({ issuer: "https://id.example.com/realms/rl_…" }))
 *     app.get("/me", (c) => c.json(c.get("session").user))
 *
 * Without options, it uses the session that `hostedLogin` has read, and redirects pages to the login.
 */
export const requireSession = (options?: SessionOptions): MiddlewareHandler<SessionEnv> => {
  if (options === undefined) return requireLogin
  const authenticate = authenticator(options)
  return async (context, next) => {
    const { session, refusal } = await authenticate(partsOf(context))
    if (refusal !== undefined) return refusalResponse(refusal)
    context.set("session", session)
    await next()
    return undefined
  }
}

/** Like `requireSession`, for pages that anyone may see. `session` is null for requests without a valid token. */
export const readSession = (options: SessionOptions): MiddlewareHandler<MaybeSessionEnv> => {
  const authenticate = authenticator(options)
  return async (context, next) => {
    const { session, refusal } = optionalSession(await authenticate(partsOf(context)))
    if (refusal !== undefined) return refusalResponse(refusal)
    context.set("session", session)
    await next()
    return undefined
  }
}

/**
 * Allows only sessions with all of these permissions in the request's org; responds with 403 to others. Use it after
 * `requireSession`. Tokens contain permissions if the realm's `jwt_scopes` includes `ar.orgs`.
 *
 *     app.get("/bills", requirePermission("billing:read"), handler)
 */
export const requirePermission =
  (...permissions: ReadonlyArray<string>): MiddlewareHandler<SessionEnv> =>
  async (context, next) => {
    const { session, refusal } = permit(context.get("session"), partsOf(context), permissions)
    if (refusal !== undefined) return refusalResponse(refusal)
    context.set("session", session)
    await next()
    return undefined
  }
