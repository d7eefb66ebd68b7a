import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { errorBody, Forbidden, type WireError } from "#api/Errors"
import { problem } from "#domain/Rejected"
import { OUTBOUND_HEADER } from "#platform/Outbound"
import { Authentication } from "../Authentication.ts"
import { LocalRequests } from "../LocalRequest.ts"

/** Restricts information about the service, such as metrics, to its operators (SEC-99). */
export class Operators extends Context.Service<
  Operators,
  {
    /** Rejects the current request unless it comes from an operator. */
    readonly admit: Effect.Effect<void, WireError, HttpServerRequest.HttpServerRequest>
  }
>()("sallyport/http/Operators") {
  /**
   * On the public port, a caller is an operator if it is on the service's own machine or has an API key of the highest level.
   */
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function* () {
      const { authenticate } = yield* Authentication
      const { isLocal } = yield* LocalRequests
      return Operators.of({
        admit: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          isLocal(request)
            ? Effect.void
            : Effect.asVoid(authenticate(request, { level: "admin_all_realms", allowsSupport: false }, undefined))
        )
      })
    })
  ).pipe(Layer.provide(Authentication.layer))

  /**
   * On the operators' port, every caller is an operator, except the service itself: a caller of the API may have chosen the URL
   * of its request (SEC-302).
   */
  static readonly layerAnyone = Layer.succeed(Operators, {
    admit: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      headers[OUTBOUND_HEADER] === undefined
        ? Effect.void
        : Effect.fail(new Forbidden(errorBody([problem(null, "own_request")])))
    )
  })
}
