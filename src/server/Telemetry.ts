import { Effect, Layer, Logger, References } from "effect"
import { HttpMiddleware } from "effect/http"
import { TraceSampling } from "#platform/TraceSampling"
import { AsJson, logsAsJson } from "./AsJson.ts"
import { jsonLine, textLine } from "./LogLines.ts"
import { withSourceLines } from "./SourceLines.ts"

const written = Logger.make((entry) =>
  withSourceLines(logsAsJson(entry.fiber.getRef(AsJson)) ? jsonLine(entry) : textLine(entry))
)

const logger = Logger.withConsoleError(written)

/**
 * Writes the log to standard error: as text on a terminal, otherwise (or with `--json`) as JSON. Stack traces refer to
 * lines of the source.
 */
export const logs = Logger.layer([logger])

const off = Layer.succeed(References.TracerEnabled, false)

/**
 * Turns off the framework's spans, whose paths and queries may contain secrets (SEC-49). The service creates its own
 * spans.
 */
const noFrameworkSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/**
 * Exports traces, metrics and logs to an OpenTelemetry collector by OTLP over HTTP. Without a collector, tracing is
 * off. `tracedPercent`: the percentage of requests that are traced.
 */
export const telemetry = (collector: string | undefined, tracedPercent = 100) => {
  if (collector === undefined) return off
  const loaded = Effect.promise(() => import("./OtlpExporter.ts"))
  return Layer.mergeAll(
    noFrameworkSpans,
    Layer.succeed(TraceSampling, tracedPercent / 100),
    Layer.unwrap(Effect.map(loaded, ({ otlpExporter }) => otlpExporter(collector, logger)))
  )
}
