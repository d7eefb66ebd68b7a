import { Effect, Layer, Logger } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { logOutages } from "./CollectorOutage.ts"

const client = (logger: Logger.Logger<unknown, void>) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (plain) =>
      // The service's own log doesn't apply to the exporter, so `logger` logs its outages.
      HttpClient.transform(logOutages(plain), Effect.provideService(Logger.CurrentLoggers, new Set([logger])))
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))

/**
 * Exports traces, metrics and logs to an OpenTelemetry collector every few seconds, as OTLP/JSON. `logger`: the logger
 * for outages of the collector.
 */
export const otlpExporter = (baseUrl: string, logger: Logger.Logger<unknown, void>) =>
  Otlp.layerJson({
    baseUrl,
    // Workers export separately. Without the pid, their metrics would be one series.
    resource: { serviceName: "sallyport", attributes: { "process.pid": process.pid } },
    loggerMergeWithExisting: true
  }).pipe(Layer.provide(client(logger)))
