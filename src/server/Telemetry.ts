import { Effect, Layer, References } from "effect"
import { HttpMiddleware } from "effect/http"

const off = Layer.succeed(References.TracerEnabled, false)

/** The framework's own span would hold paths and queries, which may hold secrets (SEC-49): ours stands in the envelope. */
const ownSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** Traces, metrics and logs to an OpenTelemetry collector by OTLP/HTTP; without one, tracing is off and costs nothing. */
export const telemetry = (collector: string | undefined) => {
  if (collector === undefined) return off
  const loaded = Effect.promise(() => import("./Collector.ts"))
  return Layer.mergeAll(ownSpans, Layer.unwrap(Effect.map(loaded, ({ toCollector }) => toCollector(collector))))
}
