import {
  authenticator,
  optionalSession,
  paramIn,
  permit,
  type RequestParts,
  requireUnsetSession,
  type SessionOptions
} from "./Authenticate.ts"
import type { ExpressHandler, ExpressRequest, ExpressResponse } from "./ExpressHandler.ts"
import type { Refusal } from "./Refusal.ts"

export { type SessionOptions, sessionOf } from "./Authenticate.ts"
export { requireAccessToken } from "./ExpressAccess.ts"
export type { ExpressHandler, ExpressRequest, ExpressResponse } from "./ExpressHandler.ts"
export { receiveWebhooks } from "./ExpressWebhooks.ts"
export type { Session, SessionOrg } from "./Session.ts"
export type { ReceiverOptions, WebhookHandlers, WebhookMessage } from "./WebhookReceiver.ts"

const partsOf = (request: ExpressRequest): RequestParts => ({
  method: request.method ?? "GET",
  header: (name) => request.headers[name]?.toString(),
  // `params` is not a member of `ExpressRequest`, so that route handlers keep their typed parameters.
  param: (name) => paramIn(Reflect.get(request, "params"), name)
})

const refuse = (response: ExpressResponse, { status, headers, body }: Refusal): void => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(JSON.stringify(body))
}

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
 * Allows only requests with a valid login token, and sets `request.session`. Responds with 401 to others, with 403 if the
 * user doesn't belong to the org, with 503 if the realm's keys can't be fetched.
 *
 *     app.use(requireSession({ issuer: "https://id.example.com/realms/rl_…", cookie: "__Host-session" }))
 */
export const requireSession = (options: SessionOptions): ExpressHandler => {
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
