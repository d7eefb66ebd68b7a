import { Context, type Effect } from "effect"
import type { MetricSeries } from "#platform/MetricSeries"
import type { Readiness } from "./Health.ts"

/**
 * What all processes that serve the port report together (C62), so that it does not matter which one is asked. `own`: what
 * this process would report alone.
 */
export const AllWorkers = Context.Reference<{
  readonly readiness: (own: Effect.Effect<Readiness>) => Effect.Effect<Readiness>
  readonly metrics: (own: Effect.Effect<ReadonlyArray<MetricSeries>>) => Effect.Effect<ReadonlyArray<MetricSeries>>
}>("sallyport/core/AllWorkers", { defaultValue: () => ({ readiness: (own) => own, metrics: (own) => own }) })
