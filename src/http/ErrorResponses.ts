import { Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { ErrorResponses } from "#api/Access"
import { isWireError } from "#api/Errors"
import { requestProblems } from "#api/InvalidRequest"
import { CurrentRequestContext } from "#platform/RequestContext"
import { errorResponse, wireErrorResponse } from "./Errors.ts"

/** Responds to wire errors, and to requests that do not decode, with the standard error response. */
export const withErrorResponses = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(handler, (error) =>
    Effect.flatMap(CurrentRequestContext, (context) => {
      if (isWireError(error)) return Effect.succeed(wireErrorResponse(error, context))
      // A body or a header of ours that does not encode is a fault of the service, not of the caller.
      if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
        return Effect.succeed(
          errorResponse(422, requestProblems(error.cause.issue, error.kind === "Query" ? "query" : "body"), context)
        )
      }
      return Effect.die(error)
    })
  )

/** The middleware that turns the failures of an endpoint into error responses. */
export const ErrorResponsesLayer = Layer.succeed(ErrorResponses, (handler, { endpoint }) => {
  const responding = withErrorResponses(handler)
  return Effect.contextWith((services: Context.Context<never>) => {
    Context.get(services, CurrentRequestContext).route = endpoint.path
    return responding
  })
})
