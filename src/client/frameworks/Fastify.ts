import type { FastifyRequest } from "fastify"
import {
  authenticator,
  checkVacant,
  paramIn,
  permit,
  type RequestParts,
  type SessionOptions,
  withoutLogin
} from "./Authenticate.ts"
import type { FastifyHook } from "./FastifyHook.ts"
import type { Session } from "./Session.ts"

export { type SessionOptions, sessionOf } from "./Authenticate.ts"
export { requireAccessToken } from "./FastifyAccess.ts"
export type { FastifyHook } from "./FastifyHook.ts"
export { receiveWebhooks } from "./FastifyWebhooks.ts"
export type { Session, SessionOrg } from "./Session.ts"
export type { ReceiverOptions, WebhookHandlers, WebhookMessage } from "./WebhookReceiver.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes the request: set by `requireSession` and `readSession`, which sets null for nobody. */
    session?: Session | null
  }
}

const partsOf = ({ method, headers, params }: FastifyRequest): RequestParts => ({
  method,
  header: (name) => headers[name]?.toString(),
  param: (name) => paramIn(params, name)
})

type Decision = ReturnType<typeof withoutLogin>

/** Goes on with a session, or refuses. */
const deciding =
  (decide: (request: FastifyRequest) => Promise<Decision>): FastifyHook =>
  async (request, reply) => {
    checkVacant(request.session)
    const { session, refusal } = await decide(request)
    if (refusal !== undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body)
    request.session = session
  }

/**
 * Lets only requests with a valid login token pass, and sets `request.session`. Others are answered with 401, with 403 where the
 * org is not theirs, with 503 where the realm's keys can't be fetched.
 *
 *     app.addHook("onRequest", requireSession({ issuer: "https://id.example.com/realms/rl_…" }))
 */
export const requireSession = (options: SessionOptions): FastifyHook => {
  const authenticate = authenticator(options)
  return deciding((request) => authenticate(partsOf(request)))
}

/** The same for pages that everyone may see: `request.session` is null for requests without a valid token. */
export const readSession = (options: SessionOptions): FastifyHook => {
  const authenticate = authenticator(options)
  return deciding(async (request) => withoutLogin(await authenticate(partsOf(request))))
}

/**
 * Lets only sessions pass that have all of these permissions in the org of the request. Others are answered with 403. It stands
 * after `requireSession`. Tokens carry permissions where the realm's `jwt_scopes` has `ar.orgs`.
 *
 *     app.get("/bills", { preHandler: requirePermission("billing:read") }, handler)
 */
export const requirePermission = (...permissions: ReadonlyArray<string>): FastifyHook =>
  deciding(async (request) => permit(request.session, partsOf(request), permissions))
