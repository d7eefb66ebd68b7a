import { Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { ErrorResponses } from "#api/Access"
import { isWireError } from "#api/Errors"
import { requestProblems } from "#api/InvalidRequest"
import { CurrentRequestContext } from "#platform/RequestContext"
import { errorResponse, wireErrorResponse } from "./Errors.ts"

/** Converts wire errors and undecodable requests to the standard error response. */
export const withErrorResponses = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(handler, (error) =>
    Effect.flatMap(CurrentRequestContext, (context) => {
      if (isWireError(error)) return Effect.succeed(wireErrorResponse(error, context))
      // A response body or header that can't be encoded is a defect of the service, not the caller's error.
      if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
        return Effect.succeed(
          errorResponse(422, requestProblems(error.cause.issue, error.kind === "Query" ? "query" : "body"), context)
        )
      }
      return Effect.die(error)
    })
  )

/** The middleware that converts an endpoint's failures to error responses. */
export const ErrorResponsesLayer = Layer.succeed(ErrorResponses, (handler, { endpoint }) => {
  const responding = withErrorResponses(handler)
  return Effect.contextWith((services: Context.Context<never>) => {
    Context.get(services, CurrentRequestContext).route = endpoint.path
    return responding
  })
})
