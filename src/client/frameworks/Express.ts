import { authenticator, optionalSession, permit, requireUnsetSession, type SessionOptions } from "./Authenticate.ts"
import type { ExpressHandler, ExpressRequest } from "./ExpressHandler.ts"
import { requireLogin } from "./ExpressLogin.ts"
import { partsOf, refuse } from "./ExpressRequestParts.ts"

export { type SessionOptions, sessionOf } from "./Authenticate.ts"
export { requireAccessToken } from "./ExpressAccess.ts"
export type { ExpressHandler, ExpressRequest, ExpressResponse } from "./ExpressHandler.ts"
export { type ExpressLogin, hostedLogin, refreshSession } from "./ExpressLogin.ts"
export { receiveWebhooks } from "./ExpressWebhooks.ts"
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

type Decision = ReturnType<typeof optionalSession>

/** Continues with the next handler and a session, or rejects the request. */
const deciding =
  (decide: (request: ExpressRequest) => Promise<Decision>): ExpressHandler =>
  (request, response, next) => {
    const decision = async () => {
      requireUnsetSession(request.session)
      return decide(request)
    }
    decision().then(({ session, refusal }) => {
      if (refusal !== undefined) return refuse(response, refusal)
      request.session = session
      next()
    }, next)
  }

/**
 * Allows only requests with a valid login token, and sets `request.session`. Other requests get 401. Responds with 403 if
 * the user doesn't belong to the org, and with 503 if the realm's keys can't be fetched.
 *
 *     app.use(requireSession({ issuer: "https://id.example.com/realms/rl_…", cookie: "__Host-session" }))
 *
 * Without options, it uses the session that `hostedLogin` has read, and redirects pages to the login.
 */
export const requireSession = (options?: SessionOptions): ExpressHandler => {
  if (options === undefined) return requireLogin
  const authenticate = authenticator(options)
  return deciding((request) => authenticate(partsOf(request)))
}

/** Like `requireSession`, for pages that anyone may see. `request.session` is null for requests without a valid token. */
export const readSession = (options: SessionOptions): ExpressHandler => {
  const authenticate = authenticator(options)
  return deciding(async (request) => optionalSession(await authenticate(partsOf(request))))
}

/**
 * Allows only sessions with all of these permissions in the request's org; responds with 403 to others. Use it after
 * `requireSession`. Tokens contain permissions if the realm's `jwt_scopes` includes `ar.orgs`.
 *
 *     app.get("/bills", requirePermission("billing:read"), handler)
 */
export const requirePermission = (...permissions: ReadonlyArray<string>): ExpressHandler =>
  deciding(async (request) => permit(request.session, partsOf(request), permissions))
