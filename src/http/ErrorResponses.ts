import { Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Answer } from "#api/Access"
import { isWireError } from "#api/Errors"
import { requestProblems } from "#api/InvalidRequest"
import { answer, answerWireError } from "./Errors.ts"
import { CurrentExchange } from "./RequestContext.ts"

/** Answers refusals, and requests that do not decode, with the standard error response. */
export const answeringRefusals = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(handler, (error) =>
    Effect.flatMap(CurrentExchange, (exchange) => {
      if (isWireError(error)) return Effect.succeed(answerWireError(error, exchange))
      // What we fail to encode ourselves is no fault of the caller's.
      if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
        return Effect.succeed(answer(422, requestProblems(error.cause.issue, error.kind === "Query"), exchange))
      }
      return Effect.die(error)
    })
  )

export const AnswerLayer = Layer.succeed(Answer, (handler, { endpoint }) => {
  const answered = answeringRefusals(handler)
  return Effect.flatMap(CurrentExchange, (exchange) => {
    exchange.route = endpoint.path
    return answered
  })
})
