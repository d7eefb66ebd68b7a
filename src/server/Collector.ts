import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"

/** Sends what the service observes of itself to an OpenTelemetry collector, as JSON, every few seconds. */
export const toCollector = (baseUrl: string) =>
  Otlp.layerJson({ baseUrl, resource: { serviceName: "sallyport" }, loggerMergeWithExisting: true }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )
