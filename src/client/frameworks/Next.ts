import { authenticator, type Outcome, optionalSession, permit, type SessionOptions } from "./Authenticate.ts"
import { partsOf, type RouteContext, type RouteHandler, type RouteParams } from "./NextRoutes.ts"
import { refusalResponse } from "./Refusal.ts"
import type { Session } from "./Session.ts"

export type { SessionOptions } from "./Authenticate.ts"
export { type AccessHandler, withAccessToken } from "./FetchAccess.ts"
export { receiveWebhooks } from "./FetchWebhooks.ts"
export {
  type HostedLoginOptions,
  LoginMisconfigured,
  type LoginOptions,
  type LoginPaths,
  type LoginSettings,
  type OpenIdLoginOptions
} from "./login/LoginOptions.ts"
export { hostedLogin, type LoginRouteOptions, type NextLogin, type RefreshedRequest } from "./NextLogin.ts"
export type { RouteContext, RouteHandler, RouteParams } from "./NextRoutes.ts"
export type { Session, SessionOrg } from "./Session.ts"
export type { ReceiverOptions, WebhookHandlers, WebhookMessage } from "./WebhookReceiver.ts"

/** The options of a route handler. */
export type RouteOptions = SessionOptions & {
  /**
   * The permission or permissions that the session needs in the request's org. Default: none. Tokens contain permissions if
   * the realm's `jwt_scopes` includes `ar.orgs`.
   */
  readonly permission?: string | ReadonlyArray<string>
}

/**
 * A route handler for requests with a valid login token. Other requests get 401. Responds with 403 if the user doesn't
 * belong to the org or lacks a permission, and with 503 if the realm's keys can't be fetched.
 *
 *     const options = { issuer: "https://id.example.com/realms/rl_…", cookie: "__Host-session" }
 *     export const GET = withSession(options, (request, { session }) => Response.json(session.user))
 */
export const withSession = <Params extends RouteParams = RouteParams>(
  { permission = [], ...options }: RouteOptions,
  handler: (request: Request, context: RouteContext<Params>) => Response | Promise<Response>
): RouteHandler<Params> => {
  const authenticate = authenticator(options)
  const permissions = typeof permission === "string" ? [permission] : permission
  return async (request, context) => {
    const params = await context.params
    const parts = partsOf(request.method, request.headers, params ?? {})
    const outcome = await authenticate(parts)
    const { session, refusal }: Outcome =
      outcome.refusal === undefined ? permit(outcome.session, parts, permissions) : outcome
    return refusal === undefined ? handler(request, { session, params }) : refusalResponse(refusal)
  }
}

/**
 * Reads the session for a page. Resolves to null if nobody is logged in. Rejects if the realm's keys can't be fetched.
 *
 *     const session = await readSession(options)(await headers())
 */
export const readSession = (options: SessionOptions): ((headers: Pick<Headers, "get">) => Promise<Session | null>) => {
  const authenticate = authenticator(options)
  return async (headers) => {
    const { session, refusal } = optionalSession(await authenticate(partsOf("GET", headers, {})))
    if (refusal !== undefined) throw new Error(refusal.body.message)
    return session
  }
}
