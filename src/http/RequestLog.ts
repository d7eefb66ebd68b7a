import type { Cause } from "effect"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import type { RequestContext } from "#platform/RequestContext"
import { routeTemplateOf } from "./RouteTemplates.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest

/** Requests that take longer than this are logged. */
const SLOW_SECONDS = 1

/**
 * Under load, many requests can be slow or rejected at the same time. Only one line of each kind is logged per second, and the
 * others are counted.
 */
const INTERVAL_NANOS = 1_000_000_000n

/** A 503 from the readiness check is not logged, because it reports the service's state and is not a rejected request. */
const READINESS = "/readyz"

/**
 * Returns the logged fields of a request. They include its route but never its path, query or body, which may contain secrets
 * (SEC-49).
 */
const fieldsOf = (request: HttpRequest, context: RequestContext, status: number) => ({
  request_id: context.requestId,
  ...(context.traceId === undefined ? {} : { trace_id: context.traceId }),
  method: request.method,
  route: context.route ?? routeTemplateOf(request.url)?.path ?? "none",
  status
})

/** Logs a warning at most once a second, with the number of warnings suppressed since the last one. */
const throttled = (message: string) => {
  let loggedAt: bigint | undefined
  let others = 0
  return (now: bigint, fields: Readonly<Record<string, unknown>>) => {
    if (loggedAt !== undefined && now - loggedAt < INTERVAL_NANOS) {
      others += 1
      return Effect.void
    }
    const since = others
    loggedAt = now
    others = 0
    return Effect.logWarning(message).pipe(
      Effect.annotateLogs(since === 0 ? fields : { ...fields, others_since: since })
    )
  }
}

/** Logs requests that were slow, that failed, or that were rejected because the service was unavailable. */
export const makeRequestLog = Effect.map(DatabaseOutage, (outage) => {
  const slow = throttled("A request took longer than 1 second.")
  const refused = throttled("A request was rejected with 503.")
  return {
    /** Logs a request that was slow or was rejected with 503. `now` and `began` are in nanoseconds of a monotonic clock. */
    done: (request: HttpRequest, context: RequestContext, status: number, began: bigint, now: bigint) => {
      const { refusal, waits } = context
      const seconds = Number(now - began) / 1e9
      const isSlow = seconds > SLOW_SECONDS && !waits
      if (status !== 503 && !isSlow) return Effect.void
      if (status === 503 && refusal?.isDatabaseUnreachable === true) return outage.report(refusal.reason)
      const fields = { ...fieldsOf(request, context, status), ms: Math.round(seconds * 1000) }
      if (status === 503 && fields.route === READINESS) return Effect.void
      return status === 503 ? refused(now, { ...fields, cause: refusal?.reason ?? "unknown" }) : slow(now, fields)
    },
    /** Logs a defect of the service. */
    failed: (request: HttpRequest, context: RequestContext, cause: Cause.Cause<unknown>) =>
      Effect.logError("A request failed with 500.", cause).pipe(Effect.annotateLogs(fieldsOf(request, context, 500)))
  }
})
