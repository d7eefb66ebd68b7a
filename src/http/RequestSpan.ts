import { Effect, Option, References } from "effect"
import { type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"
import { ClientAddress } from "#platform/ClientAddress"
import type { RequestContext } from "#platform/RequestContext"
import { TraceSampling } from "#platform/TraceSampling"
import { routeTemplateOf } from "./RouteTemplates.ts"

/**
 * Traces requests if a collector is configured. A span is named after its route. Unlike the framework's own span, it contains
 * no path or query, and no failures, whose messages contain paths. A trusted proxy's `traceparent` decides the trace and
 * whether it is sampled; any other caller's is only linked (C232, SEC-224).
 */
export const makeRequestSpan = Effect.gen(function* () {
  const addresses = yield* ClientAddress
  const share = yield* TraceSampling
  const isTracing = yield* References.TracerEnabled
  let due = 0

  /** Samples requests at even intervals, so that callers can't influence whether they are sampled. */
  const isSampled = () => {
    due += share
    if (due < 1) return false
    due -= 1
    return true
  }

  const originOf = ({ headers, peerAddress }: HttpServerRequest.HttpServerRequest) => {
    const caller = Option.getOrUndefined(HttpTraceContext.w3c(headers))
    if (caller === undefined) return { root: true, sampled: isSampled() }
    const isTrusted = addresses.untrustedPeer(Option.getOrUndefined(peerAddress)) === undefined
    return isTrusted
      ? { parent: caller, sampled: caller.sampled }
      : { root: true, sampled: isSampled(), links: [{ span: caller, attributes: {} }] }
  }

  return <E, R>(
    handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    request: HttpServerRequest.HttpServerRequest,
    context: RequestContext
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
    if (!isTracing) return handler
    const route = routeTemplateOf(request.url)?.path ?? "none"
    const attributes = {
      "http.request.method": request.method,
      "http.route": route,
      "request.id": context.requestId
    }
    const options = { kind: "server", attributes, ...originOf(request) } as const
    return Effect.useSpan(`${request.method} ${route}`, options, (span) => {
      context.traceId = span.traceId
      return Effect.tap(Effect.withParentSpan(handler, span), ({ status }) =>
        Effect.sync(() => span.attribute("http.response.status_code", status))
      )
    })
  }
})
