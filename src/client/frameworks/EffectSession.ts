import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { authenticator, type RequestParts, type SessionOptions, withPermissions } from "./Authenticate.ts"
import type { Refusal } from "./Refusal.ts"
import type { Session } from "./Session.ts"

/** Who makes the request. */
export class CurrentSession extends Context.Service<CurrentSession, Session>()("sallyport/client/CurrentSession") {}

const members = {
  /** Why, for programs. */
  error: Schema.String,
  /** Why, for people. */
  message: Schema.String
}

/** 401: the request carries no token, or one that is invalid or has expired. */
export class LoginRequired extends Schema.Error<LoginRequired>("LoginRequired")(members, { httpApiStatus: 401 }) {}

/** 403: the session lacks a permission, or is for another org. */
export class PermissionMissing extends Schema.Error<PermissionMissing>("PermissionMissing")(members, {
  httpApiStatus: 403
}) {}

/** 503: the realm's keys can't be fetched. */
export class LoginsUnchecked extends Schema.Error<LoginsUnchecked>("LoginsUnchecked")(members, {
  httpApiStatus: 503
}) {}

/** The whole answer of a refusal: what is thrown has its body only. */
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
 * The middleware of endpoints for requests with a valid login token, which provides `CurrentSession`. Others are answered with
 * 401, with 403 where the org is not theirs, with 503 where the realm's keys can't be fetched.
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
 * Fails unless the session has all of these permissions in its org. Endpoints that use it need no error of their own. Tokens
 * carry permissions where the realm's `jwt_scopes` has `ar.orgs`.
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
