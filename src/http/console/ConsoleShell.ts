import { Effect } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorBody, Forbidden } from "#api/Errors"
import { problem } from "#domain/Rejected"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext } from "#platform/RequestContext"
import { withErrorResponses } from "../ErrorResponses.ts"
import { errorResponse } from "../Errors.ts"
import { isRead } from "../LoadShedding.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { isFromConsole } from "./SameOrigin.ts"

type HttpResponse = HttpServerResponse.HttpServerResponse

/** The response at an unknown address. GET and HEAD get a page or a JSON error. All other methods also get 404, never 405. */
export const notFoundResponse = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isRead(request)) return errorResponse(404, [problem(null, "no_such_address")], yield* CurrentRequestContext)
  return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
})

/** Checks and wrappers shared by the console's routes. */
export const consoleShell = ({ publicUrl }: Pick<ConsoleOptions, "publicUrl">) =>
  Effect.map(LoginDomains, (domains) => {
    /** Returns whether a request is for the host of an app, where there is no console. */
    const isForApp = ({ headers }: HttpServerRequest.HttpServerRequest) =>
      domains.subdomainIn(headers["host"] ?? "") !== undefined
    return {
      isForApp,
      /** Rejects requests that were not sent by a page of the console (SEC-199). */
      requireOwnPage: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        isFromConsole(headers, publicUrl)
          ? Effect.void
          : Effect.fail(new Forbidden(errorBody([problem(null, "console_other_site")])))
      ),
      /** Wraps a handler for its route. `route` is the route's template. */
      at: <E, R>(route: string, handler: Effect.Effect<HttpResponse, E, R>) =>
        Effect.gen(function* () {
          if (isForApp(yield* HttpServerRequest.HttpServerRequest)) return yield* notFoundResponse
          const context = yield* CurrentRequestContext
          context.route = route
          return yield* withErrorResponses(handler)
        })
    }
  })
