import { ByteSize, Cause, Clock, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { FreshIds } from "#core/FreshIds"
import { isDatabaseUnavailable } from "#core/Transaction"
import { problem } from "#domain/Rejected"
import { answer } from "./Errors.ts"
import { CurrentExchange, type Exchange } from "./Exchange.ts"
import { BODY_BYTES } from "./RequestBody.ts"
import { templateOf } from "./Templates.ts"

/** A request that takes longer is logged, in milliseconds. */
const SLOW_MILLIS = 1_000

const REQUEST_ID = /^[\w.-]{8,128}$/

/** On every answer, errors included (SEC-38). */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** The answer for whatever no handler answered: no address, no method, no database, or a fault of ours. */
const fault = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest, exchange: Exchange) => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (isDatabaseUnavailable(error)) return answer(503, [problem(null, "unavailable")], exchange)
    if (HttpServerError.isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return noRoute(request, exchange)
      if (error.reason._tag === "RequestParseError") return answer(400, [problem(null, "bad_encoding")], exchange)
    }
  }
  return answer(500, [problem(null, "internal")], exchange)
}

const noRoute = (request: HttpServerRequest.HttpServerRequest, exchange: Exchange) => {
  const template = templateOf(request.url)
  if (template === undefined || template.methods.includes(request.method)) {
    return answer(404, [problem(null, "no_such_address")], exchange)
  }
  const { method } = request
  return HttpServerResponse.setHeader(
    answer(405, [problem(null, "method_not_allowed", { method })], exchange),
    "allow",
    template.methods.join(", ")
  )
}

/** What all answers share: a request id, safe headers, our JSON for every failure, a log line when slow or failed. */
export const EnvelopeLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const ids = yield* FreshIds

    yield* router.addGlobalMiddleware((handler) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const sent = request.headers["x-request-id"]
        const exchange: Exchange = {
          requestId: sent !== undefined && REQUEST_ID.test(sent) ? sent : yield* ids.make("request"),
          accepts: request.headers["accept-language"],
          realmLocale: undefined
        }
        const began = yield* Clock.currentTimeMillis
        const response = yield* handler.pipe(
          Effect.catchCause((cause) => {
            // The caller has gone: nobody is left to answer.
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            const failed = fault(cause, request, exchange)
            return failed.status === 500
              ? Effect.as(log(request, exchange, 500, began, cause), failed)
              : Effect.succeed(failed)
          }),
          Effect.provideService(CurrentExchange, exchange),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES))
        )
        const took = (yield* Clock.currentTimeMillis) - began
        if (took > SLOW_MILLIS || response.status === 503) yield* log(request, exchange, response.status, began)
        return HttpServerResponse.setHeaders(response, {
          ...headers,
          ...response.headers,
          "x-request-id": exchange.requestId
        })
      })
    )
  })
)

/** One line for a request worth a look: its route, never its path, query or body, which may hold secrets (SEC-49). */
const log = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  status: number,
  began: number,
  cause?: Cause.Cause<unknown>
) {
  const took = (yield* Clock.currentTimeMillis) - began
  const about = {
    request_id: exchange.requestId,
    method: request.method,
    route: templateOf(request.url)?.path ?? "none",
    status,
    ms: took
  }
  yield* status >= 500
    ? Effect.logError("request failed", about, ...(cause ? [cause] : []))
    : Effect.logWarning("slow request", about)
})
