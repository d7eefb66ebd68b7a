import { ByteSize, Cause, Clock, Context, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NodeClock } from "#core/nodes/NodeClock"
import { problem } from "#domain/Rejected"
import { countDatabaseError, countDatabaseErrors } from "#platform/DatabaseErrors"
import { IdGenerator } from "#platform/IdGenerator"
import { CurrentRequestContext, type RequestContext } from "#platform/RequestContext"
import { unavailabilityOf } from "#platform/Transaction"
import { AbsentAddresses, absentAddressCode } from "./AbsentAddresses.ts"
import { HeaderNames } from "./Authentication.ts"
import { compressed } from "./Compression.ts"
import { errorResponse, methodNotAllowed, unavailableProblem } from "./Errors.ts"
import { NotFoundPage } from "./NotFoundPage.ts"
import { RequestMetrics } from "./operations/Metrics.ts"
import { wantsPage } from "./PagePreference.ts"
import { BODY_BYTES } from "./RequestBody.ts"
import { encodingResponse, requestReader } from "./RequestEncoding.ts"
import { makeRequestLog } from "./RequestLog.ts"
import { makeRequestSpan } from "./RequestSpan.ts"
import { routeTemplateOf } from "./RouteTemplates.ts"
import { SecurityHeaders } from "./SecurityHeaders.ts"
import { UntrustedProxies } from "./UntrustedProxies.ts"

const bodyLimit = ByteSize.bytes(BODY_BYTES)

/** The endpoints that report the node's state. They work even if the node's clock is wrong. */
const OPERATIONS = /^\/(?:healthz|readyz|metrics)(?:\?|$)/

const REQUEST_ID = /^[\w.-]{8,128}$/

/**
 * The response to a request that no handler responded to: the path is unknown, the method is not supported, the database is
 * unavailable, or the service has a defect.
 */
const faultResponse = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  context: RequestContext,
  absent: AbsentAddresses
) => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    const unavailable = unavailabilityOf(error)
    if (unavailable !== undefined) {
      context.refusal = unavailable
      return errorResponse(503, [unavailableProblem(unavailable)], context)
    }
    if (HttpServerError.isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return routeNotFound(request, context, absent)
      if (error.reason._tag === "RequestParseError") return errorResponse(400, [problem(null, "bad_encoding")], context)
    }
  }
  return errorResponse(500, [problem(null, "internal")], context)
}

const routeNotFound = (
  request: HttpServerRequest.HttpServerRequest,
  context: RequestContext,
  absent: AbsentAddresses
) => {
  const template = routeTemplateOf(request.url)
  if (template === undefined || template.methods.includes(request.method)) {
    return errorResponse(404, [problem(null, absentAddressCode(absent, request.url))], context)
  }
  return methodNotAllowed(request.method, template.methods, context)
}

/**
 * Adds the features common to all responses: a request ID, security headers, the standard error body, metrics, and a log line
 * for slow or failed requests.
 */
export const RequestMiddlewareLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const ids = yield* IdGenerator
    const clock = yield* Clock.Clock
    const nodeClock = yield* NodeClock
    const metrics = yield* RequestMetrics
    const securityHeaders = yield* SecurityHeaders
    const notFoundPage = yield* NotFoundPage
    const absent = yield* AbsentAddresses
    const proxies = yield* UntrustedProxies
    const { apiKey, realm } = yield* HeaderNames
    const readRequest = requestReader(["authorization", "idempotency-key", apiKey, realm], ["user-agent"])
    const log = yield* makeRequestLog
    const traced = yield* makeRequestSpan

    yield* router.addGlobalMiddleware((handler) =>
      Effect.gen(function* () {
        const services = yield* Effect.context<HttpServerRequest.HttpServerRequest>()
        const request = Context.get(services, HttpServerRequest.HttpServerRequest)
        const began = clock.monotonicTimeNanosUnsafe()
        const givenId = request.headers["x-request-id"]
        const context: RequestContext = {
          requestId: givenId !== undefined && REQUEST_ID.test(givenId) ? givenId : yield* ids.make("request"),
          traceId: undefined,
          acceptLanguage: request.headers["accept-language"],
          realmLocale: undefined,
          route: undefined,
          waits: false,
          refusal: undefined,
          headers: undefined
        }
        yield* proxies.warn(request)
        const asText = readRequest(request)
        /** Browsers get a page if the service has one for this response. */
        const respond = (response: HttpServerResponse.HttpServerResponse) => {
          const { status } = response
          const hasPage = status === 400 || status === 404 || status === 415
          return hasPage && notFoundPage !== undefined && wantsPage(request.headers["accept"])
            ? notFoundPage(request, status)
            : Effect.succeed(response)
        }
        // The HTTP server already rejects requests with several Host headers; requests with none are rejected here.
        const checked =
          request.headers["host"] === undefined
            ? Effect.succeed(errorResponse(400, [problem(null, "unreadable")], context))
            : "problem" in asText
              ? respond(encodingResponse(asText, request, context))
              : nodeClock.isWrong() && !OPERATIONS.test(request.url)
                ? nodeClock.ensureRight.pipe(Effect.andThen(handler))
                : handler
        const recovered = Effect.catchCause(checked, (cause) => {
          // The caller has disconnected, so there is no response to send.
          if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
          const response = faultResponse(cause, request, context, absent)
          return response.status === 500
            ? Effect.as(Effect.andThen(countDatabaseErrors(cause), log.failed(request, context, cause)), response)
            : respond(response)
        })
        const plain = yield* Effect.updateContext(traced(recovered, request, context), (beneath: typeof services) => {
          const added = beneath.pipe(
            Context.add(CurrentRequestContext, context),
            Context.add(HttpIncomingMessage.MaxBodySize, bodyLimit)
          )
          return asText === request || "problem" in asText
            ? added
            : Context.add(added, HttpServerRequest.HttpServerRequest, asText)
        })
        const response = yield* compressed(request, plain)
        const now = clock.monotonicTimeNanosUnsafe()
        const seconds = Number(now - began) / 1e9
        const route = context.route ?? routeTemplateOf(request.url)?.path ?? "none"
        metrics.observe(request.method, route, response.status, seconds, services)
        if (context.refusal?.databaseError !== undefined) yield* countDatabaseError(context.refusal.databaseError)
        yield* log.done(request, context, response.status, began, now)
        return HttpServerResponse.setHeaders(response, {
          ...securityHeaders,
          ...response.headers,
          ...context.headers,
          "x-request-id": context.requestId
        })
      })
    )
  })
)
