import { Context, Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { DeliveryMetrics } from "#core/hooks/DeliveryMetrics"
import { AllWorkers } from "#core/nodes/AllWorkers"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RealmSizes } from "#core/upkeep/RealmSizes"
import { ActorStates } from "#platform/ActorStates"
import { type MetricSeries, ownSeries } from "#platform/MetricSeries"
import { recordProcessUsage, watchProcess } from "#platform/ProcessUsage"
import { RELEASE } from "../docs/Release.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { Operators } from "./Operators.ts"

const requests = Metric.counter("http_requests_total", {
  description: "HTTP requests, by method, route template and status.",
  incremental: true
})

const durations = Metric.histogram("http_request_duration_seconds", {
  description: "Time from the request's headers to its response, by method and route template.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

const hashing = {
  inFlight: Metric.gauge("password_hashes_in_flight", { description: "Password hashes currently being computed." }),
  waiting: Metric.gauge("password_hashes_waiting", { description: "Requests waiting for a hashing slot." })
}

const actors = {
  lag: Metric.gauge("actor_lag_seconds", { description: "How long the oldest due item has been waiting." }),
  ok: Metric.gauge("actor_ok", { description: "1 if the last run of a background job succeeded, otherwise 0." })
}

const build = Metric.withAttributes(
  Metric.gauge("build_info", { description: "Always 1; the label is the running release." }),
  { version: RELEASE }
)

/** Counts and times requests by method, route and status, never by caller. */
export class RequestMetrics extends Context.Service<
  RequestMetrics,
  {
    /** Records a finished request. `route` is the route's template, so that no ID becomes a label. */
    observe(method: string, route: string, status: number, seconds: number, context: Context.Context<never>): void
  }
>()("sallyport/http/RequestMetrics") {
  static readonly layer = Layer.sync(RequestMetrics, () => {
    const observers = new Map<string, (seconds: number, context: Context.Context<never>) => void>()
    const observer = (method: string, route: string, status: number) => {
      const labels = { method, route }
      const counter = Metric.withAttributes(requests, { ...labels, status: String(status) })
      const histogram = Metric.withAttributes(durations, labels)
      return (seconds: number, context: Context.Context<never>) => {
        counter.updateUnsafe(1, context)
        histogram.updateUnsafe(seconds, context)
      }
    }
    return RequestMetrics.of({
      observe: (method, route, status, seconds, context) => {
        const key = `${method} ${status} ${route}`
        let observe = observers.get(key)
        if (observe === undefined) observers.set(key, (observe = observer(method, route, status)))
        observe(seconds, context)
      }
    })
  })
}

/** All metrics of this process, including those that its services report on request. */
export const processMetrics = Effect.gen(function* () {
  const passwords = yield* PasswordHasher
  const states = yield* ActorStates
  const deliveries = yield* DeliveryMetrics
  const realms = yield* RealmSizes
  yield* watchProcess
  return Effect.gen(function* () {
    yield* Metric.update(hashing.inFlight, passwords.inFlight)
    yield* Metric.update(hashing.waiting, passwords.waiting)
    for (const [actor, state] of Object.entries(yield* states.all)) {
      const of = { actor }
      yield* Metric.update(Metric.withAttributes(actors.lag, of), state.lagSeconds)
      yield* Metric.update(Metric.withAttributes(actors.ok, of), state.ok ? 1 : 0)
    }
    yield* Metric.update(build, 1)
    yield* Effect.all([deliveries.record, realms.record], { concurrency: "unbounded", discard: true })
    yield* recordProcessUsage
    return yield* ownSeries
  })
})

/** Formats series in Prometheus's exposition format, by passing a registry with these states to the framework. */
const prometheusText = (series: ReadonlyArray<MetricSeries>): string => {
  const registry = new Map(
    series.map(({ state, ...identity }, index) => {
      const hooks = { get: () => state, update: () => {}, modify: () => {} }
      return [String(index), { ...identity, hooks }] as const
    })
  )
  return PrometheusMetrics.formatUnsafe(Context.make(Metric.MetricRegistry, registry))
}

/** `/metrics`, for operators and their Prometheus server. No metric names a tenant. */
export const MetricsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const own = yield* processMetrics
    const workers = yield* AllWorkers
    const { admit } = yield* Operators
    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        yield* admit
        const body = prometheusText(yield* workers.metrics(own))
        return HttpServerResponse.text(body, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      }).pipe(withErrorResponses)
    )
  })
)
