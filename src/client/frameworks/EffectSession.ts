import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { authenticator, type RequestParts, type SessionOptions, withPermissions } from "./Authenticate.ts"
import type { Refusal } from "./Refusal.ts"
import type { Session } from "./Session.ts"

/** The session of the request. */
export class CurrentSession extends Context.Service<CurrentSession, Session>()("sallyport/client/CurrentSession") {}

const members = {
  /** The error code, for programs. */
  error: Schema.String,
  /** The error message. */
  message: Schema.String
}

/** 401: the request has no token, or an invalid or expired one. */
export class LoginRequired extends Schema.Error<LoginRequired>("LoginRequired")(members, { httpApiStatus: 401 }) {}

/** 403: the session lacks a permission, or is for another org. */
export class PermissionMissing extends Schema.Error<PermissionMissing>("PermissionMissing")(members, {
  httpApiStatus: 403
}) {}

/** 503: the realm's keys can't be fetched. */
export class LoginsUnchecked extends Schema.Error<LoginsUnchecked>("LoginsUnchecked")(members, {
  httpApiStatus: 503
}) {}

/** The full response of each rejection. The thrown error contains only its body. */
const answers = new WeakMap<PermissionMissing, Refusal>()

const partsOf = Effect.gen(function* () {
  const { method, headers } = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  return {
    method,
    header: (name: string) => headers[name],
    param: (name: string) => params[name]
  } satisfies RequestParts
})

const refusalResponse = ({ status, headers, body }: Refusal) => HttpServerResponse.jsonUnsafe(body, { status, headers })

/**
 * Middleware for endpoints that require a valid login token. It provides `CurrentSession`. Other requests get 401. It
 * responds with 403 if the user doesn't belong to the org, and with 503 if the realm's keys can't be fetched.
 *
 *     class Bills extends HttpApiGroup.make("bills").add(list).middleware(RequireSession) {}
 *     const BillsLayer = layer.pipe(Layer.provide(RequireSession.layer({ issuer: "https://id.example.com/realms/rl_…" })))
 */
export class RequireSession extends HttpApiMiddleware.Service<RequireSession, { provides: CurrentSession }>()(
  "sallyport/client/RequireSession",
  { error: [LoginRequired, PermissionMissing, LoginsUnchecked] }
) {
  static readonly layer = (options: SessionOptions): Layer.Layer<RequireSession> =>
    Layer.sync(RequireSession, () => {
      const authenticate = authenticator(options)
      return (handler) =>
        Effect.gen(function* () {
          const parts = yield* partsOf
          const { session, refusal } = yield* Effect.promise(() => authenticate(parts))
          if (refusal !== undefined) return refusalResponse(refusal)
          return yield* Effect.provideService(handler, CurrentSession, session).pipe(
            Effect.catch((error) => {
              const answer = error instanceof PermissionMissing ? answers.get(error) : undefined
              return answer === undefined ? Effect.fail(error) : Effect.succeed(refusalResponse(answer))
            })
          )
        })
    })
}

/**
 * Fails unless the session has all of these permissions in its org. Endpoints need not declare an error for it. Tokens
 * contain permissions if the realm's `jwt_scopes` includes `ar.orgs`.
 */
export const requirePermission = Effect.fn("sallyport.requirePermission")(function* (
  ...permissions: ReadonlyArray<string>
) {
  const { refusal } = withPermissions(yield* CurrentSession, permissions)
  if (refusal === undefined) return
  const missing = new PermissionMissing(refusal.body)
  answers.set(missing, refusal)
  return yield* missing
})
