import { ByteSize, Cause, Clock, Effect, References } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { problem } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { unavailabilityOf } from "#platform/Transaction"
import { answer, notNow } from "./Errors.ts"
import { RequestMetrics } from "./operations/Metrics.ts"
import { BODY_BYTES } from "./RequestBody.ts"
import { CurrentExchange, type Exchange } from "./RequestContext.ts"
import { templateOf } from "./RouteTemplates.ts"
import { SafeHeaders } from "./SecurityHeaders.ts"
import { UntrustedProxies } from "./UntrustedProxies.ts"

/** A request that takes longer is logged. */
const SLOW_SECONDS = 1

/** A rush makes many requests slow at once: one line tells of them, and of how many it leaves out. */
const LINE_EVERY_NANOS = 1_000_000_000n

const bodyLimit = ByteSize.bytes(BODY_BYTES)

const REQUEST_ID = /^[\w.-]{8,128}$/

/** The answer for whatever no handler answered: no address, no method, no database, or a fault of ours. */
const fault = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest, exchange: Exchange) => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    const unavailable = unavailabilityOf(error)
    if (unavailable !== undefined) return answer(503, [notNow(unavailable)], exchange)
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
    const ids = yield* IdGenerator

    const metrics = yield* RequestMetrics
    const safeHeaders = yield* SafeHeaders
    const proxies = yield* UntrustedProxies
    const traced = yield* References.TracerEnabled

    let loggedAt: bigint | undefined
    let leftOut = 0
    const logSlow = (now: bigint, facts: Readonly<Record<string, unknown>>) => {
      if (loggedAt !== undefined && now - loggedAt < LINE_EVERY_NANOS) {
        leftOut += 1
        return Effect.void
      }
      const others = leftOut
      loggedAt = now
      leftOut = 0
      return Effect.logWarning("slow or shed request", others === 0 ? facts : { ...facts, others_since: others })
    }

    yield* router.addGlobalMiddleware((handler) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const clock = yield* Clock.Clock
        const began = clock.monotonicTimeNanosUnsafe()
        const sent = request.headers["x-request-id"]
        const exchange: Exchange = {
          requestId: sent !== undefined && REQUEST_ID.test(sent) ? sent : yield* ids.make("request"),
          accepts: request.headers["accept-language"],
          realmLocale: undefined,
          route: undefined,
          waits: false
        }
        yield* proxies.notice(request)
        // The server lets no request have several.
        const routed =
          request.headers["host"] === undefined
            ? Effect.succeed(answer(400, [problem(null, "unreadable")], exchange))
            : handler
        const safely = Effect.catchCause(routed, (cause) => {
          // The caller has gone: nobody is left to answer.
          if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
          const failed = fault(cause, request, exchange)
          return failed.status === 500 ? Effect.as(logFault(request, exchange, cause), failed) : Effect.succeed(failed)
        })
        const answered = yield* (traced ? inSpan(safely, request, exchange) : safely).pipe(
          Effect.provideService(CurrentExchange, exchange),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimit)
        )
        const now = clock.monotonicTimeNanosUnsafe()
        const seconds = Number(now - began) / 1e9
        const route = exchange.route ?? templateOf(request.url)?.path ?? "none"
        yield* metrics.observe(request.method, route, answered.status, seconds)
        if ((seconds > SLOW_SECONDS && !exchange.waits) || answered.status === 503) {
          yield* logSlow(now, about(request, exchange, answered.status, seconds))
        }
        return HttpServerResponse.setHeaders(answered, {
          ...safeHeaders,
          ...answered.headers,
          "x-request-id": exchange.requestId
        })
      })
    )
  })
)

/**
 * The span of an answered request, named by its route: without the failures, whose texts hold paths. Ours instead of the
 * framework's, which would hold path and query.
 */
const inSpan = <A, E, R>(
  handler: Effect.Effect<A, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  { requestId }: Exchange
) => {
  const route = templateOf(request.url)?.path ?? "none"
  const attributes = { "http.request.method": request.method, "http.route": route, "request.id": requestId }
  return Effect.withSpan(handler, `${request.method} ${route}`, { kind: "server", attributes })
}

/** A request worth a look in the log: its route, never its path, query or body, which may hold secrets (SEC-49). */
const about = (request: HttpServerRequest.HttpServerRequest, exchange: Exchange, status: number, seconds?: number) => ({
  request_id: exchange.requestId,
  method: request.method,
  route: exchange.route ?? templateOf(request.url)?.path ?? "none",
  status,
  ...(seconds === undefined ? {} : { ms: Math.round(seconds * 1000) })
})

const logFault = (request: HttpServerRequest.HttpServerRequest, exchange: Exchange, cause: Cause.Cause<unknown>) =>
  Effect.logError("request failed", about(request, exchange, 500), cause)
