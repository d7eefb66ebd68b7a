import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"

/** Exports traces, metrics and logs to an OpenTelemetry collector, as OTLP/JSON, every few seconds. */
export const otlpExporter = (baseUrl: string) =>
  Otlp.layerJson({
    baseUrl,
    // Workers export on their own: without the pid their metrics would be one series.
    resource: { serviceName: "sallyport", attributes: { "process.pid": process.pid } },
    loggerMergeWithExisting: true
  }).pipe(Layer.provide(FetchHttpClient.layer))
